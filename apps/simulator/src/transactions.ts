import { read } from '@fpay/ocpp';
import { StartTransaction } from '@fpay/ocpp/v16/start-transaction';
import type { StopReason } from '@fpay/ocpp/v16/stop-transaction';
import { limitW } from './charging-limit.ts';
import type { Connector, Transaction } from './connector.ts';
import type { Device } from './device.ts';
import { sampledValues, wattsPerAmpere } from './meter-report.ts';
import { type Behaviour, offeredShare } from './scenario.ts';

/** How often a running charge is updated; a full car or a changed limit is noticed within this time. */
const TICK_MS = 5_000;

/** The id that a charge point uses for a transaction whose start was never answered. */
const NO_ID = -1;

export function begin(chargePoint: Device, connector: Connector, idTag: string): void {
  const { clock, queue, uplink } = chargePoint;
  const meterStartWh = Math.round(connector.meterWh);
  const transaction: Transaction = { id: null, idTag, meterStartWh, startedAt: clock.now(), timers: new Set() };
  connector.transaction = transaction;
  connector.switchOn(clock.now());
  const request = { connectorId: connector.spec.id, idTag, meterStart: meterStartWh, timestamp: uplink.timestamp() };
  queue.push({
    action: 'StartTransaction',
    payload: () => request,
    onAnswer: (answer) => started(chargePoint, connector, transaction, answer),
    onDropped: () => {
      transaction.id = NO_ID;
    },
  });
  repeat(
    chargePoint,
    transaction,
    () => TICK_MS,
    () => tick(chargePoint, connector),
  );
  repeat(
    chargePoint,
    transaction,
    () => sampleIntervalMs(chargePoint),
    () => sample(chargePoint, connector, 'Sample.Periodic'),
  );
  scheduleFaults(chargePoint, connector, transaction);
  chargePoint.changed();
}

function started(chargePoint: Device, connector: Connector, transaction: Transaction, answer: unknown): void {
  const { value } = read(StartTransaction.response, answer);
  transaction.id = value?.transactionId ?? NO_ID;
  const isRefused = value !== null && value.idTagInfo.status !== 'Accepted';
  const mustStop = chargePoint.configuration.flag('StopTransactionOnInvalidId');
  if (isRefused && mustStop && connector.transaction === transaction) end(chargePoint, connector, 'DeAuthorized');
  else chargePoint.changed();
}

export function end(chargePoint: Device, connector: Connector, reason: StopReason, idTag?: string): void {
  const { transaction } = connector;
  if (transaction === null) return;
  const { configuration, behaviour, queue, uplink } = chargePoint;
  advance(chargePoint, connector);
  const timestamp = uplink.timestamp();
  for (const timer of transaction.timers) timer.cancel();
  const values = sampledValues(
    meterState(connector),
    configuration.list('StopTxnSampledData'),
    'Transaction.End',
    behaviour,
  );
  const facts = {
    meterStop: Math.round(connector.meterWh),
    timestamp,
    reason,
    ...(idTag === undefined ? {} : { idTag }),
    ...(values.length === 0 ? {} : { transactionData: [{ timestamp, sampledValue: values }] }),
  };
  if (!behaviour.forgetsStop) {
    queue.push({ action: 'StopTransaction', payload: () => ({ transactionId: transaction.id ?? NO_ID, ...facts }) });
  }
  connector.transaction = null;
  connector.isUnplugPending = connector.car !== null;
  connector.switchOff();
  if (connector.isClosing) {
    connector.isClosing = false;
    connector.isOperative = false;
  }
  chargePoint.profiles = chargePoint.profiles.filter(
    ({ connectorId, profile }) => connectorId !== connector.spec.id || profile.chargingProfilePurpose !== 'TxProfile',
  );
  chargePoint.changed();
}

type Context = 'Sample.Periodic' | 'Trigger';

/** A sample of a running transaction is queued behind its start; a sample of an idle meter is sent now or dropped. */
export function sample(chargePoint: Device, connector: Connector, context: Context): void {
  if (chargePoint.behaviour.sampleEverySeconds === 0) return;
  const { configuration, behaviour, queue, uplink } = chargePoint;
  // Meter and clock are read together, because at high speed a moment between them would be seconds.
  advance(chargePoint, connector);
  const timestamp = uplink.timestamp();
  const measurands = configuration.list('MeterValuesSampledData');
  const sampledValue = sampledValues(meterState(connector), measurands, context, behaviour);
  const meterValue = [{ timestamp, sampledValue }];
  const connectorId = connector.spec.id;
  const { transaction } = connector;
  if (transaction === null) {
    if (uplink.isOnline) void uplink.callUnchecked('MeterValues', { connectorId, meterValue }).catch(() => {});
    return;
  }
  queue.push({
    action: 'MeterValues',
    payload: () => ({ connectorId, transactionId: transaction.id ?? NO_ID, meterValue }),
  });
}

function sampleIntervalMs({ behaviour, configuration }: Device): number {
  const { sampleEverySeconds } = behaviour;
  return sampleEverySeconds === null ? configuration.ms('MeterValueSampleInterval') : sampleEverySeconds * 1000;
}

function meterState({ meterWh, powerW, car, isDc }: Connector) {
  return { energyWh: meterWh, powerW, soc: isDc && car !== null ? car.soc : null, isDc };
}

function tick(chargePoint: Device, connector: Connector): void {
  advance(chargePoint, connector);
  chargePoint.changed();
}

/** With a profile in force, the interval is simulated in steps, because the profile may change the power within it. */
const PROFILE_STEP_MS = 500;

/** Counts the energy since the last update. */
function advance(chargePoint: Device, connector: Connector): void {
  const { clock, profiles, behaviour } = chargePoint;
  const { spec, transaction, isDc } = connector;
  if (transaction === null) return;
  const now = clock.now();
  // Absolute schedules follow the clock of the messages, relative ones the simulated time.
  const offsetMs = clock.stamp() - now;
  const stepMs = profiles.length === 0 ? Number.POSITIVE_INFINITY : PROFILE_STEP_MS;
  for (let at = connector.advancedAt; at < now; ) {
    const next = Math.min(now, at + stepMs);
    const limit = limitW(profiles, spec.id, at + offsetMs, transaction.startedAt + offsetMs, wattsPerAmpere(isDc));
    const offeredW = spec.powerW * offeredShare(behaviour, next - transaction.startedAt);
    connector.advance(next, behaviour.profiles === 'obeyed' ? Math.min(offeredW, limit) : offeredW);
    at = next;
  }
}

/** Schedules the faults of a transaction, counted from now. */
export function scheduleFaults(chargePoint: Device, connector: Connector, transaction: Transaction): void {
  const faults: [keyof Behaviour, () => void][] = [
    ['dropsSocketAfterMs', () => chargePoint.loseConnection()],
    ['rebootsAfterMs', () => chargePoint.restart('PowerLoss')],
    [
      'meterResetsAfterMs',
      () => {
        advance(chargePoint, connector);
        connector.meterWh = 0;
      },
    ],
    ['unpluggedAfterMs', () => chargePoint.unplug(connector.spec.id)],
  ];
  for (const [when, happen] of faults) {
    const delayMs = chargePoint.behaviour[when];
    if (typeof delayMs !== 'number') continue;
    transaction.timers.add(
      chargePoint.after(delayMs, () => {
        if (connector.transaction === transaction) happen();
      }),
    );
  }
}

/** Repeats while the transaction runs. The interval is read each time; 0 means check again later. */
function repeat(chargePoint: Device, transaction: Transaction, everyMs: () => number, run: () => void): void {
  const next = () => {
    const interval = everyMs();
    const timer = chargePoint.after(interval > 0 ? interval : TICK_MS, () => {
      transaction.timers.delete(timer);
      if (interval > 0) run();
      next();
    });
    transaction.timers.add(timer);
  };
  next();
}
