import { read } from '@fpay/ocpp';
import { StartTransaction } from '@fpay/ocpp/v16/start-transaction';
import type { StopReason } from '@fpay/ocpp/v16/stop-transaction';
import type { ChargePoint } from './charge-point.ts';
import { limitW } from './charging-limit.ts';
import type { Connector, Transaction } from './connector.ts';
import { sampledValues, wattsPerAmpere } from './meter-report.ts';
import { type Behaviour, offeredShare } from './scenario.ts';

/** How often a running charge is looked at: a full car or a changed limit shows this soon. */
const TICK_MS = 5_000;

/** What a charge point calls a transaction whose start was never answered. */
const NO_ID = -1;

export function begin(chargePoint: ChargePoint, connector: Connector, idTag: string): void {
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
  armMishaps(chargePoint, connector, transaction);
  chargePoint.changed();
}

function started(chargePoint: ChargePoint, connector: Connector, transaction: Transaction, answer: unknown): void {
  const { value } = read(StartTransaction.response, answer);
  transaction.id = value?.transactionId ?? NO_ID;
  const isRefused = value !== null && value.idTagInfo.status !== 'Accepted';
  const mustStop = chargePoint.configuration.flag('StopTransactionOnInvalidId');
  if (isRefused && mustStop && connector.transaction === transaction) end(chargePoint, connector, 'DeAuthorized');
  else chargePoint.changed();
}

export function end(chargePoint: ChargePoint, connector: Connector, reason: StopReason, idTag?: string): void {
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
  connector.isSpent = connector.car !== null;
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

/** A sample of a running transaction waits in the queue with its start; one of an idle meter is told now or never. */
export function sample(chargePoint: ChargePoint, connector: Connector, context: Context): void {
  if (chargePoint.behaviour.sampleEverySeconds === 0) return;
  const { configuration, behaviour, queue, uplink } = chargePoint;
  // Side by side: in a fast world a moment between meter and clock would be seconds.
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

function sampleIntervalMs({ behaviour, configuration }: ChargePoint): number {
  const { sampleEverySeconds } = behaviour;
  return sampleEverySeconds === null ? configuration.ms('MeterValueSampleInterval') : sampleEverySeconds * 1000;
}

function meterState({ meterWh, powerW, car, isDc }: Connector) {
  return { energyWh: meterWh, powerW, soc: isDc && car !== null ? car.soc : null, isDc };
}

function tick(chargePoint: ChargePoint, connector: Connector): void {
  advance(chargePoint, connector);
  chargePoint.changed();
}

/** A profile may change the power between two looks: with one in force the time between is walked through in steps. */
const PROFILE_STEP_MS = 500;

/** Lets flow what flowed since the last look. */
function advance(chargePoint: ChargePoint, connector: Connector): void {
  const { clock, profiles, behaviour } = chargePoint;
  const { spec, transaction, isDc } = connector;
  if (transaction === null) return;
  const now = clock.now();
  // Absolute schedules are by the clock on the messages, relative ones by the time that passes.
  const offsetMs = clock.stamp() - now;
  const stepMs = profiles.length === 0 ? Number.POSITIVE_INFINITY : PROFILE_STEP_MS;
  for (let at = connector.advancedAt; at < now; ) {
    const next = Math.min(now, at + stepMs);
    const limit = limitW(profiles, spec.id, at + offsetMs, transaction.startedAt + offsetMs, wattsPerAmpere(isDc));
    const offeredW = spec.powerW * offeredShare(behaviour, next - transaction.startedAt);
    connector.advance(next, Math.min(offeredW, limit));
    at = next;
  }
}

/** What goes wrong in a transaction, and when: counted from now. */
export function armMishaps(chargePoint: ChargePoint, connector: Connector, transaction: Transaction): void {
  const mishaps: [keyof Behaviour, () => void][] = [
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
  for (const [when, happen] of mishaps) {
    const delayMs = chargePoint.behaviour[when];
    if (typeof delayMs !== 'number') continue;
    transaction.timers.add(
      chargePoint.after(delayMs, () => {
        if (connector.transaction === transaction) happen();
      }),
    );
  }
}

/** Again and again while the transaction runs. The interval is asked each time; 0 means not now, ask again later. */
function repeat(chargePoint: ChargePoint, transaction: Transaction, everyMs: () => number, run: () => void): void {
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
