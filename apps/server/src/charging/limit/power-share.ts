import type { CommandOutcome } from '../../ocpp/commands/command.ts';
import type { Commands } from '../../ocpp/commands/service.ts';
import { type DeviceSettings, deviceSettingsOf } from '../../ocpp/connections/charge-points.ts';
import { transactionOfOperation } from '../../ocpp/transactions/find-transaction.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Step } from '../../platform/step.ts';
import { findConnector } from '../../stations/connectors.ts';
import type { OperationStore, StoredOperation } from '../store.ts';
import { txProfile } from './limit-profile.ts';

interface Dependencies {
  operations: OperationStore;
  commands: Pick<Commands, 'enqueue'>;
  clock: Clock;
}

/** A cut that is further away than a charge can last is none. */
const longestCutMs = 7 * 24 * 60 * 60_000;

/** Cars follow within five seconds (IEC 61851). */
const followsWithinMs = 5_000;

/** The most that a car may still take when its device accepts another share now. */
function inForceBefore({ shareCap }: StoredOperation, now: Date): number | null {
  if (shareCap === null || now.getTime() - shareCap.at.getTime() >= followsWithinMs) return shareCap?.watts ?? null;
  return shareCap.beforeW === null ? null : Math.max(shareCap.watts, shareCap.beforeW);
}

/** Whether the device obeys charging profiles: it lists the function, and its firmware has not refused one. */
export function takesProfiles({ configuration, profileRefusedBy }: DeviceSettings): boolean {
  const { values = {}, configuredFor = '' } = configuration;
  return /\bSmartCharging\b/i.test(values.SupportedFeatureProfiles ?? '') && profileRefusedBy !== configuredFor;
}

/** Limits the power of one charge to its share of a site. */
export interface PowerShare {
  /** Asks the device; false when the charge does not run any more. */
  set(step: Step, operation: number, watts: number): Promise<boolean>;
  /** For a locked operation. */
  send(step: Step, operation: StoredOperation, watts: number): Promise<boolean>;
  /** The outcome of a profile. */
  answered(step: Step, operation: StoredOperation, outcome: CommandOutcome): Promise<void>;
}

export function createPowerShare({ operations, commands, clock }: Dependencies): PowerShare {
  async function send(step: Step, operation: StoredOperation, watts: number): Promise<boolean> {
    const transaction = await transactionOfOperation(step.db, operation.id);
    if (operation.status !== 'ongoing' || !transaction || transaction.isStopped) return false;
    const { configuration } = await deviceSettingsOf(step, operation.chargePoint);
    const { ocppConnector, ratedW } = await findConnector(step.db, operation.connector);
    const { deviceCutAt, statusAt } = operation;
    const cutAfterMs = deviceCutAt === null ? null : deviceCutAt.getTime() - statusAt.getTime();
    const command = await commands.enqueue(step, {
      chargePointId: operation.chargePoint,
      action: 'SetChargingProfile',
      payload: txProfile({
        connectorId: ocppConnector,
        transactionId: transaction.id,
        ratedW,
        shareW: watts,
        rateUnits: configuration.values?.ChargingScheduleAllowedChargingRateUnit ?? '',
        cutAfterMs: cutAfterMs !== null && cutAfterMs < longestCutMs ? cutAfterMs : null,
      }),
      operationId: operation.id,
      outcomeTo: 'charging',
    });
    const { powerW } = operation;
    await operations.change(step, operation.id, {
      share_w: watts,
      share_command_id: command,
      // A reading after the answer tells from it whether the device has lowered its power.
      share_from_w: powerW !== null && powerW > watts ? powerW : null,
    });
    return true;
  }

  return {
    send,
    async set(step, id, watts) {
      const operation = await operations.lock(step, id);
      return operation !== null && send(step, operation, watts);
    },
    async answered(step, operation, { id, status, answer }) {
      if (operation.shareCommand !== id) return;
      const isAccepted = status === 'answered' && answer?.status === 'Accepted';
      await operations.change(step, operation.id, {
        share_command_id: null,
        // Without an acceptance the old cap stays in force as far as we know, and the share is asked for again.
        ...(isAccepted && {
          share_cap_w: operation.shareW,
          share_cap_at: clock.now(),
          share_before_w: inForceBefore(operation, clock.now()),
        }),
      });
    },
  };
}
