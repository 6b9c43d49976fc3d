import { expect, test } from 'vitest';
import { meterStateOf, type StoredTransaction, transactionOf } from './transaction-row.ts';

test('field problem 61: what a meter has measured and has not measured yet survives the row, for the next node', () => {
  const state = {
    count: {
      energyWh: 1_203,
      originWh: -40,
      carriedWh: 7,
      lastWh: 1_163,
      lastAt: Date.parse('2026-11-18T10:00:30Z'),
      suspectWh: 9_000,
      former: { originWh: 5, carriedWh: 2 },
      risenAt: Date.parse('2026-11-18T10:00:29Z'),
      risenDeviceAt: Date.parse('2026-11-18T10:00:28Z'),
    },
    unit: 'kWh',
    power: { powerW: 7_100, measuredW: 7_000, riseWh: 30, isPowerFalse: true, pendingWh: 6, pendingMs: 3_000 },
    expectedWh: 1_190,
  } as const;
  const row = {
    started_at: new Date('2026-11-18T10:00:00Z'),
    device_started_at: '2026-11-18T10:00:00Z',
    meter_start_wh: -40,
    energy_wh: state.count.energyWh,
    last_meter_wh: state.count.lastWh,
    last_sample_at: new Date(state.count.lastAt),
    meter_state: meterStateOf(state),
    price: null,
  } as Partial<StoredTransaction> as StoredTransaction;
  const { count, unit, power, expectedWh } = transactionOf(row);
  expect({ count, unit, power, expectedWh }).toEqual(state);
});
