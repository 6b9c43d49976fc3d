import { isDeepStrictEqual } from 'node:util';
import { CallFailed, v16 } from '@fpay/ocpp';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Steps } from '../platform/step.ts';
import { type Anomaly, noteAnomalies } from './anomalies.ts';
import type { BootedChargePoint } from './boots.ts';
import { changesFor, type KeptConfiguration, mayTry, wantedKeys } from './configuration.ts';
import type { Connection } from './connection.ts';
import { callTimeoutMs, type Timings, triggerTimeoutMs } from './timings.ts';
import { heededOf, heedsTriggers, noteTrigger } from './triggers.ts';

interface Dependencies {
  db: Database;
  steps: Steps;
  clock: Clock;
  log: Logger;
  timings: Timings;
  /** It may be spoken to: commands that waited for that go out. */
  onReady(connection: Connection): void;
}

/** Devices that do not give their whole configuration at once are asked for a few keys at a time. */
const keysAtOnce = 10;

/**
 * What we ask of a device that has just come: first nothing, then what it has not sent, and after every boot its
 * configuration. Nothing waits for any of it, and no answer is as good as a refusal.
 */
export function createAfterConnect({ db, steps, clock, log, timings, onReady }: Dependencies) {
  function later(connection: Connection, ms: number, work: () => Promise<void> | void): void {
    setTimeout(async () => {
      if (connection.isVoid || !connection.link.isOpen) return;
      try {
        await work();
      } catch (error) {
        if (!(error instanceof CallFailed)) log.warn({ err: error, chargePoint: connection.identity }, 'after connect');
      }
    }, ms).unref();
  }

  function ready(connection: Connection): void {
    if (connection.isReady) return;
    connection.isReady = true;
    onReady(connection);
  }

  /** Many do not know it, which is no reason to leave out what comes next; one that does not answer is left alone. */
  async function trigger(
    { link, chargePointId }: Connection,
    requestedMessage: 'BootNotification' | 'StatusNotification',
  ): Promise<void> {
    if (!(await heedsTriggers(db, chargePointId))) return;
    try {
      const answer = await link.call(v16.TriggerMessage, { requestedMessage }, { timeoutMs: triggerTimeoutMs });
      await noteTrigger(db, chargePointId, heededOf('answered', answer));
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      const status = error.failure === 'refused' ? 'error' : error.failure;
      await noteTrigger(db, chargePointId, heededOf(status, error));
      if (error.failure !== 'refused') throw error;
    }
  }

  /** After every boot, because a factory reset, another board or a technician changes it under the same firmware. */
  async function configure(connection: Connection, { firmware, kept }: BootedChargePoint): Promise<void> {
    const keys = await readKeys(connection);
    const before = kept.configuredFor === firmware ? kept : {};
    // Copies, because what is kept is compared with what comes out.
    const { settled, refused, tries } = structuredClone({ settled: {}, refused: {}, tries: {}, ...before });
    const values = Object.fromEntries(keys.map(({ key, value }) => [key, value ?? '']));
    const outcome: KeptConfiguration = { configuredFor: firmware, values, settled, refused, needsReboot: [], tries };
    const lost: string[] = [];
    try {
      for (const { key, values: wishes } of changesFor(keys, before, timings)) {
        if (mayTry(outcome, key, clock.now().getTime())) await change(connection, key, wishes, outcome);
        else lost.push(key);
      }
    } finally {
      // As a rule a device has kept everything, and after a power cut thousands boot at once.
      if (lost.length > 0 || !isDeepStrictEqual(outcome, kept)) await keep(connection, outcome, lost);
    }
  }

  /** Also when the device went away in the middle: what it refused or rebooted over is remembered. */
  async function keep({ chargePointId }: Connection, outcome: KeptConfiguration, lost: string[]): Promise<void> {
    await steps.run(async (step) => {
      await step.db
        .updateTable('charge_points')
        .set({ configuration: JSON.stringify(outcome) })
        .where('id', '=', chargePointId)
        .execute();
      const details = { values: Object.fromEntries(lost.map((key) => [key, outcome.values?.[key]])) };
      const anomaly: Anomaly = { chargePointId, kind: 'configurationLost', subject: lost.join(', '), details };
      if (lost.length > 0) await noteAnomalies(step, [anomaly], clock.now());
    });
  }

  /** Down the list until one is taken. A call that got no answer ends it: the next boot tries again. */
  async function change(connection: Connection, key: string, wishes: readonly string[], outcome: KeptConfiguration) {
    for (const value of wishes) {
      const { status } = await connection.link
        .call(v16.ChangeConfiguration, { key, value }, { timeoutMs: callTimeoutMs })
        .catch((error: unknown) => {
          if (error instanceof CallFailed && error.failure === 'refused') return { status: 'Rejected' as const };
          throw error;
        });
      if (status === 'Accepted' || status === 'RebootRequired') {
        if (outcome.values) outcome.values[key] = value;
        if (outcome.settled) outcome.settled[key] = value;
        if (status === 'RebootRequired') outcome.needsReboot?.push(key);
        if (outcome.refused) delete outcome.refused[key];
        return;
      }
      if (outcome.refused) outcome.refused[key] = status;
      if (status === 'NotSupported') return;
    }
  }

  async function readKeys({ link }: Connection): Promise<v16.ConfigurationKey[]> {
    try {
      const { configurationKey = [] } = await link.call(v16.GetConfiguration, {}, { timeoutMs: callTimeoutMs });
      return configurationKey;
    } catch (error) {
      if (!(error instanceof CallFailed) || error.failure !== 'refused') throw error;
    }
    const found: v16.ConfigurationKey[] = [];
    for (let from = 0; from < wantedKeys.length; from += keysAtOnce) {
      const key = wantedKeys.slice(from, from + keysAtOnce);
      const { configurationKey = [] } = await link.call(v16.GetConfiguration, { key }, { timeoutMs: callTimeoutMs });
      found.push(...configurationKey);
    }
    return found;
  }

  return {
    /** A socket was opened. A device that boots says so at once; one that merely lost the line does not. */
    connected(connection: Connection): void {
      later(connection, timings.quietMs, async () => {
        ready(connection);
        if (connection.hasBooted) return;
        await trigger(connection, 'BootNotification');
        await trigger(connection, 'StatusNotification');
      });
    },
    booted(connection: Connection, known: BootedChargePoint): void {
      later(connection, timings.settleMs, async () => {
        ready(connection);
        try {
          await configure(connection, known);
        } finally {
          await trigger(connection, 'StatusNotification');
        }
      });
    },
  };
}
