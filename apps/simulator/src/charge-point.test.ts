import { v16 } from '@fpay/ocpp';
import { describe, expect, it, vi } from 'vitest';
import { typicalCar } from './car.ts';
import {
  central,
  chargePoint,
  connector,
  meterSamples,
  power,
  remoteStart,
  startCharging,
  statuses,
  transactionMessages,
  untilReceived,
  untilStatus,
  useBench,
} from './testing/bench.ts';

useBench();

describe('a charge point without faults', () => {
  it('boots, reports the status of all connectors, and charges from RemoteStart to RemoteStop', async () => {
    await power();
    await untilReceived('StatusNotification', 3);
    expect(central.requests(v16.StatusNotification).map(({ connectorId, status }) => [connectorId, status])).toEqual([
      [0, 'Available'],
      [1, 'Available'],
      [2, 'Available'],
    ]);

    const transactionId = await startCharging();
    await untilReceived('MeterValues', 5);
    expect(await central.link().call(v16.RemoteStopTransaction, { transactionId })).toEqual({ status: 'Accepted' });
    await untilStatus('Finishing');
    await untilReceived('StopTransaction', 1);
    chargePoint.unplug(1);
    await vi.waitFor(() =>
      expect(statuses()).toEqual(['Available', 'Preparing', 'Charging', 'Finishing', 'Available']),
    );

    const [start] = central.requests(v16.StartTransaction);
    const [stop] = central.requests(v16.StopTransaction);
    expect(start).toMatchObject({ connectorId: 1, idTag: 'TAG' });
    expect(stop).toMatchObject({ transactionId, reason: 'Remote' });
    const energies = meterSamples().map(({ energyWh }) => energyWh ?? 0);
    expect(energies).toEqual(energies.toSorted((a, b) => a - b));
    expect(stop?.meterStop).toBeGreaterThanOrEqual(energies.at(-1) ?? Number.POSITIVE_INFINITY);
    expect(stop?.meterStop).toBeGreaterThan(start?.meterStart ?? 0);
    expect(meterSamples().at(-1)?.soc).toBeGreaterThanOrEqual(20);
    // Everything that it sent conforms to the standard.
    expect(central.received.filter(({ isConforming }) => !isConforming)).toEqual([]);
  });

  it('never delivers more than power times time, and nearly that', async () => {
    await power();
    await startCharging();
    await untilReceived('MeterValues', 12);
    const samples = meterSamples();
    const [first, last] = [samples[5], samples.at(-1)];
    const hours = ((last?.at ?? 0) - (first?.at ?? 0)) / 3_600_000;
    const averageW = ((last?.energyWh ?? 0) - (first?.energyWh ?? 0)) / hours;
    expect(averageW).toBeLessThan(66_000);
    expect(averageW).toBeGreaterThan(54_000);
  });

  it('suspends when the car is full and waits for the driver', async () => {
    await power();
    chargePoint.plug(1, { car: typicalCar(99.7) });
    await remoteStart();
    await untilStatus('SuspendedEV');
    expect(connector().car?.soc).toBe(100);
    expect(connector().transaction).not.toBeNull();
    await vi.waitFor(() => expect(statuses()).toEqual(['Available', 'Preparing', 'Charging', 'SuspendedEV']));
  });

  it('waits for the cable after an accepted start, and times out without a message', async () => {
    await power('normal', { configuration: { ConnectionTimeOut: '30' } });
    expect(await remoteStart()).toEqual({ status: 'Accepted' });
    await untilStatus('Preparing');
    await untilStatus('Available');
    expect(transactionMessages()).toEqual([]);
  });

  it('starts when the cable is plugged in after the start', async () => {
    await power();
    await remoteStart();
    await untilStatus('Preparing');
    chargePoint.plug(1);
    await untilStatus('Charging');
  });

  it('does not detect a car behind an adapter before it charges', async () => {
    await power();
    chargePoint.plug(2, { car: typicalCar(), isHidden: true });
    expect(connector(2).status).toBe('Available');
    await remoteStart(2);
    await untilStatus('Charging', 2);
  });

  it('charges on both connectors at once, each with its own transaction id', async () => {
    await power();
    const [first, second] = await Promise.all([startCharging(1), startCharging(2)]);
    expect(first).not.toBe(second);
    await central.link().call(v16.RemoteStopTransaction, { transactionId: second });
    await untilStatus('Finishing', 2);
    expect(connector(1).transaction?.id).toBe(first);
  });

  it('rejects a start without a connector, and one where it is already charging', async () => {
    await power();
    expect(await central.link().call(v16.RemoteStartTransaction, { idTag: 'TAG' })).toEqual({ status: 'Rejected' });
    await startCharging();
    expect(await remoteStart()).toEqual({ status: 'Rejected' });
    expect(await central.link().call(v16.RemoteStopTransaction, { transactionId: 7 })).toEqual({ status: 'Rejected' });
  });
});

describe('a card at the reader', () => {
  it('starts where a car is connected, and the same card stops', async () => {
    await power();
    chargePoint.plug(2);
    expect(await chargePoint.tap('04a1b2c3')).toBe('accepted');
    await untilStatus('Charging', 2);
    await chargePoint.until(({ connectors }) => connectors[1]?.transaction?.id !== null);
    expect(await chargePoint.tap('FFFFFFFF', 2)).toBe('busy');
    expect(await chargePoint.tap('04:A1:B2:C3')).toBe('stopped');
    await untilReceived('StopTransaction', 1);
    expect(central.requests(v16.StopTransaction)[0]).toMatchObject({ reason: 'Local', idTag: '04:A1:B2:C3' });
  });

  it('is refused when the central system does not know it, and has no effect while the charge point is offline', async () => {
    await power();
    central.blockedTags.add('BAD');
    expect(await chargePoint.tap('BAD', 1)).toBe('refused');
    chargePoint.setScenario('offline');
    await chargePoint.until(({ isConnected }) => !isConnected);
    expect(await chargePoint.tap('GOOD', 1)).toBe('offline');
  });

  it('that is invalid in the answer to StartTransaction ends the charge', async () => {
    await power();
    chargePoint.plug(1);
    const link = central.link();
    central.blockedTags.add('LATE');
    expect(await link.call(v16.RemoteStartTransaction, { idTag: 'LATE', connectorId: 1 })).toEqual({
      status: 'Accepted',
    });
    await untilReceived('StopTransaction', 1);
    expect(central.requests(v16.StopTransaction)[0]).toMatchObject({ reason: 'DeAuthorized', transactionId: 101 });
  });
});
