import { isDeepStrictEqual } from 'node:util';
import { CallFailed, v16 } from '@fpay/ocpp';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Steps } from '../../platform/step.ts';
import { createTriggerSupport, triggerSupportOf } from '../commands/triggers.ts';
import { type DeviceAnomaly, noteAnomalies } from '../device/anomalies.ts';
import type { DeviceConnection } from '../device/connection.ts';
import { callTimeoutMs, type Timings, triggerTimeoutMs } from '../timings.ts';
import type { BootedChargePoint } from './boot.ts';
import { changesFor, type KeptConfiguration, mayTry, wantedKeys } from './configuration.ts';

interface Dependencies {
  steps: Steps;
  clock: Clock;
  log: Logger;
  timings: Timings;
  /** Commands that waited for the connection are sent: stops, and later all of them. */
  onMaySend(connection: DeviceConnection): void;
}

/** Devices that do not return their whole configuration at once are asked for a few keys at a time. */
const keysAtOnce = 10;

/**
 * After a connect: wait, then request a missing BootNotification or StatusNotification, and check the configuration
 * after every boot. This is best effort; errors and timeouts are ignored.
 */
export function createAfterConnect({ steps, clock, log, timings, onMaySend }: Dependencies) {
  const triggers = createTriggerSupport(steps);

  function later(connection: DeviceConnection, ms: number, work: () => Promise<void> | void): void {
    setTimeout(async () => {
      if (connection.isVoid || !connection.link.isOpen) return;
      try {
        await work();
      } catch (error) {
        if (!(error instanceof CallFailed))
          log.warn({ err: error, chargePoint: connection.identity }, 'device setup failed');
      }
    }, ms).unref();
  }

  function ready(connection: DeviceConnection): void {
    if (connection.isReady) return;
    connection.isReady = true;
    onMaySend(connection);
  }

  /**
   * Many devices do not support it, which is no reason to skip what follows; a device that does not answer is not asked
   * again.
   */
  async function trigger(
    { link, chargePointId }: DeviceConnection,
    requestedMessage: 'BootNotification' | 'StatusNotification',
  ): Promise<void> {
    if (!(await triggers.has(chargePointId))) return;
    try {
      const answer = await link.call(v16.TriggerMessage, { requestedMessage }, { timeoutMs: triggerTimeoutMs });
      await triggers.note({ chargePointId, support: triggerSupportOf('answered', answer) });
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      const status = error.failure === 'refused' ? 'error' : error.failure;
      await triggers.note({ chargePointId, support: triggerSupportOf(status, error) });
      if (error.failure !== 'refused') throw error;
    }
  }

  /**
   * Runs after every boot, because a factory reset, another board or a technician may change it under the same
   * firmware.
   */
  async function configure(connection: DeviceConnection, { firmware, kept }: BootedChargePoint): Promise<void> {
    const keys = await readKeys(connection);
    const before = kept.configuredFor === firmware ? kept : {};
    // Copies, because the stored value is compared with the outcome.
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
      // Usually a device has kept everything, and after a power cut thousands boot at once.
      if (lost.length > 0 || !isDeepStrictEqual(outcome, kept)) await keep(connection, outcome, lost);
    }
  }

  /**
   * Also runs when the device disconnected in the middle, so that a key that it refused or rebooted over is remembered.
   */
  async function keep({ chargePointId }: DeviceConnection, outcome: KeptConfiguration, lost: string[]): Promise<void> {
    await steps.run(async (step) => {
      await step.db
        .updateTable('charge_points')
        .set({ configuration: JSON.stringify(outcome) })
        .where('id', '=', chargePointId)
        .execute();
      const details = { values: Object.fromEntries(lost.map((key) => [key, outcome.values?.[key]])) };
      const anomaly: DeviceAnomaly = { chargePointId, kind: 'configurationLost', subject: lost.join(', '), details };
      if (lost.length > 0) await noteAnomalies(step, [anomaly], clock.now());
    });
  }

  /**
   * Tries the values in order until one is accepted. A call without an answer ends it, and the next boot tries again.
   */
  async function change(
    connection: DeviceConnection,
    key: string,
    wishes: readonly string[],
    outcome: KeptConfiguration,
  ) {
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

  async function readKeys({ link }: DeviceConnection): Promise<v16.ConfigurationKey[]> {
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
    /**
     * A socket was opened. A device that boots sends BootNotification at once; one that only lost the connection does
     * not.
     */
    connected(connection: DeviceConnection): void {
      later(connection, timings.stopQuietMs, () => {
        if (connection.isReady) return;
        connection.takesStops = true;
        onMaySend(connection);
      });
      later(connection, timings.quietMs, async () => {
        ready(connection);
        if (connection.hasBooted) return;
        await trigger(connection, 'BootNotification');
        await trigger(connection, 'StatusNotification');
      });
    },
    booted(connection: DeviceConnection, known: BootedChargePoint): void {
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
