import type { CommandOutcome } from '../../ocpp/commands/command.ts';
import type { Commands } from '../../ocpp/commands/service.ts';
import type { WishDecision, Wishes } from '../../ocpp/commands/wishes.ts';
import { type DeviceSettings, deviceSettingsOf, noteProfileRefused } from '../../ocpp/connections/charge-points.ts';
import { transactionOfOperation } from '../../ocpp/transactions/find-transaction.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Step } from '../../platform/step.ts';
import { type ConnectorOfDevice, findConnector } from '../../stations/connectors.ts';
import type { OperationStore, StoredOperation } from '../store.ts';
import { cutInMs, txProfile } from './limit-profile.ts';
import { type PowerShare, takesProfiles } from './power-share.ts';

interface Dependencies {
  operations: OperationStore;
  commands: Pick<Commands, 'enqueue' | 'giveUpEarlier'>;
  wishes: Pick<Wishes, 'want'>;
  clock: Clock;
  powerShare: Pick<PowerShare, 'send'>;
}

type DeviceWithProfiles = DeviceSettings & ConnectorOfDevice;

/** A profile is renewed this long before its end, when readings show that the limit is further away. */
const renewBeforeMs = 30_000;
/** A renewal that gains less than this is not worth a command. */
const leastGainMs = 10_000;
/** The pause after a profile that got no answer. */
const tryAgainMs = 10_000;
/** Allows for the error of a device's clock over an hour. */
const earlyMs = 10_000;
/** Longer than any charge: such a profile is never renewed. */
const neverMs = 30 * 24 * 60 * 60_000;
/** A profile is optional, and no optional command is sent within 10 s of a planned stop. */
const quietMs = 12_000;
/** A profile that did not reach the device is sent nearer to the stop, because the device may be lost again before it. */
const quietAgainMs = 3_000;
/** A profile that could not be decided yet is looked at again after this. */
const lookAgainMs = 6_000;
/** An older reading says nothing about the present, so the device keeps its profile. */
const freshMs = 60_000;

/**
 * Gives the limit to the device as well, so that a lost socket gives no energy away. OCPP 1.6 has no energy limit, and
 * no public documentation names a vendor's key for one. A TxProfile cuts the power to 0 when rated power would have
 * delivered the limit, is replaced under the same id while the car takes less, and ends with the transaction.
 */
export function createDeviceLimit({ operations, commands, wishes, clock, powerShare }: Dependencies) {
  /** Null when the device supports no profiles. The caller may have read the connector already. */
  async function deviceWithProfiles(step: Step, operation: StoredOperation, connector?: ConnectorOfDevice) {
    const settings = await deviceSettingsOf(step, operation.chargePoint);
    if (!takesProfiles(settings)) return null;
    return { ...settings, ...(connector ?? (await findConnector(step.db, operation.connector))) };
  }

  return {
    /** When the profile must be checked again; null when the device has none. */
    renewAtMs: ({ deviceCutAt }: StoredOperation): number | null =>
      deviceCutAt === null ? null : deviceCutAt.getTime() - renewBeforeMs,

    /**
     * Whether the device would cut the power before our own stop. Its profile was computed for rated power; a car that
     * takes less would be left without power and without an end, so this renewal is not optional.
     */
    cutsFirst: ({ deviceCutAt, stopDueAt }: StoredOperation): boolean =>
      deviceCutAt !== null && stopDueAt !== null && deviceCutAt < stopDueAt,

    deviceWithProfiles,

    /** Sets or renews the profile where that is due. */
    async set(
      step: Step,
      operation: StoredOperation,
      transaction: number,
      device: DeviceWithProfiles,
      quietBeforeStopMs = quietMs,
    ): Promise<Date | null> {
      const { limit, energy, powerW, meteredAt, deviceCutAt, stopDueAt, statusAt } = operation;
      if (limit === null || meteredAt === null || energy >= limit) return deviceCutAt;
      const { values = {} } = device.configuration;
      const now = clock.now().getTime();
      const mustRenew = this.cutsFirst(operation);
      // It would be held back behind the planned stop, and be sent after it.
      if (!mustRenew && stopDueAt !== null && stopDueAt.getTime() - now < quietBeforeStopMs) return deviceCutAt;
      if (deviceCutAt !== null && now - meteredAt.getTime() > freshMs) return deviceCutAt;
      const cutAt = meteredAt.getTime() + cutInMs(limit - energy, device.ratedW, powerW);
      const leastMs = mustRenew ? 1_000 : leastGainMs;
      if (cutAt <= now || (deviceCutAt !== null && cutAt < deviceCutAt.getTime() + leastMs)) return deviceCutAt;
      await commands.enqueue(step, {
        chargePointId: operation.chargePoint,
        action: 'SetChargingProfile',
        payload: txProfile({
          connectorId: device.ocppConnector,
          transactionId: transaction,
          ratedW: device.ratedW,
          shareW: operation.shareW,
          rateUnits: values.ChargingScheduleAllowedChargingRateUnit ?? '',
          // The device's own clock may be wrong; `ongoing` began when its start arrived here.
          cutAfterMs: cutAt - statusAt.getTime(),
        }),
        operationId: operation.id,
        outcomeTo: 'charging',
      });
      await operations.change(step, operation.id, { device_cut_at: new Date(cutAt) });
      return new Date(cutAt);
    },

    /** An earlier profile did not reach the device, or its outcome is unknown. */
    async decideAgain(step: Step, operation: StoredOperation, transaction: number): Promise<WishDecision> {
      if (operation.limit === null || operation.deviceCutAt !== null) return 'done';
      const device = await deviceWithProfiles(step, operation);
      if (device === null) return 'done';
      const { id: profileOf, chargePoint: chargePointId } = operation;
      const now = clock.now();
      await commands.giveUpEarlier(step, { chargePointId, action: 'SetChargingProfile', profileOf, at: now });
      const cutAt = await this.set(step, operation, transaction, device, quietAgainMs);
      return cutAt === null ? { keepUntil: new Date(now.getTime() + lookAgainMs) } : 'done';
    },

    /** A firmware that refuses the profile does not get one again; one that did not answer does. */
    async answered(step: Step, operation: StoredOperation, { status, answer }: CommandOutcome): Promise<void> {
      // After the end it is refused because its transaction is over.
      if (operation.status !== 'ongoing' || (status === 'answered' && answer?.status === 'Accepted')) return;
      if (status !== 'error' && status !== 'answered') {
        await operations.change(step, operation.id, { device_cut_at: null });
        // Not the operation's own due time, because the next reading would change that.
        await wishes.want(step, {
          chargePointId: operation.chargePoint,
          kind: 'profile',
          subject: operation.id,
          decideAt: new Date(clock.now().getTime() + tryAgainMs),
        });
        return;
      }
      const { configuration } = await deviceSettingsOf(step, operation.chargePoint);
      await noteProfileRefused(step, operation.chargePoint, configuration.configuredFor ?? '');
      await giveUp(step, operation);
    },

    /** The device stops the power before the given time, so it interprets the schedule differently. */
    async suspended(step: Step, operation: StoredOperation): Promise<void> {
      const { deviceCutAt, limit, energy, shareW } = operation;
      // A share of nothing is a pause that we asked for.
      if (deviceCutAt === null || limit === null || energy >= limit || shareW === 0) return;
      const isEarly = deviceCutAt.getTime() - clock.now().getTime() > earlyMs;
      if (isEarly) await giveUp(step, operation);
      else await operations.change(step, operation.id, { next_action_at: clock.now() });
    },
  };

  /** Clears the profile of the device, so that it cuts nothing off, and sets no other for this charge. */
  async function giveUp(step: Step, operation: StoredOperation): Promise<void> {
    await operations.change(step, operation.id, { device_cut_at: new Date(clock.now().getTime() + neverMs) });
    const transaction = await transactionOfOperation(step.db, operation.id);
    if (!transaction) return;
    // The share of a site is in the same profile, so it is sent again without the cut.
    if (operation.shareW !== null) {
      await powerShare.send(step, { ...operation, deviceCutAt: null }, operation.shareW);
      return;
    }
    await commands.enqueue(step, {
      chargePointId: operation.chargePoint,
      action: 'ClearChargingProfile',
      payload: { id: transaction.id },
      operationId: operation.id,
      outcomeTo: 'charging',
    });
  }
}

export type DeviceLimit = ReturnType<typeof createDeviceLimit>;
