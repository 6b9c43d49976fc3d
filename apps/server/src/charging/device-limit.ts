import type { CommandOutcome } from '../ocpp/commands/command.ts';
import type { Commands } from '../ocpp/commands/service.ts';
import type { KeptConfiguration } from '../ocpp/configuration.ts';
import type { Clock } from '../platform/clock.ts';
import type { Step } from '../platform/step.ts';
import { cutInMs, txProfile } from './limit-profile.ts';
import { outcomeTo } from './starting.ts';
import type { Operation, OperationStore } from './store.ts';

interface Dependencies {
  operations: OperationStore;
  commands: Pick<Commands, 'enqueue'>;
  clock: Clock;
}

/** This long before its end a profile is renewed, when readings show that the limit is further away. */
const renewBeforeMs = 30_000;
/** A renewal that wins less than this is not worth a command. */
const leastGainMs = 10_000;
/** After a profile that got no answer. */
const tryAgainMs = 10_000;
/** A device's clock is this exact over an hour. */
const earlyMs = 10_000;
/** Longer than any charge: such a profile is never renewed. */
const neverMs = 30 * 24 * 60 * 60_000;
/** A profile is optional: nothing optional is sent within 10 s of a planned stop. */
const quietMs = 12_000;
/** From an older reading nothing is known, so what the device has stays. */
const freshMs = 60_000;

/**
 * Leaves the limit with the device as well, so that a lost socket gives no energy away. OCPP 1.6 knows no energy limit, and
 * no public documentation names a vendor's key for one; a TxProfile cuts the power to 0 when rated power would have
 * delivered the limit, is replaced under the same id while the car takes less, and ends with the transaction.
 */
export function createDeviceLimit({ operations, commands, clock }: Dependencies) {
  async function deviceOf(step: Step, operation: Operation) {
    return step.db
      .selectFrom('connectors')
      .innerJoin('charge_points', 'charge_points.id', 'connectors.charge_point_id')
      .select(['connectors.ocpp_connector', 'connectors.power_w', 'connectors.type', 'charge_points.configuration'])
      .select(['charge_points.profile_refused_by'])
      .where('connectors.id', '=', operation.connector)
      .executeTakeFirstOrThrow();
  }

  return {
    /** When the profile must be looked at again; null when none is with the device. */
    renewAtMs: ({ deviceCutAt }: Operation): number | null =>
      deviceCutAt === null ? null : deviceCutAt.getTime() - renewBeforeMs,

    /**
     * Whether the device would cut the power before our own stop. Its profile was made for rated power: a car that takes less
     * would be left without power and without an end, so this renewal is not optional.
     */
    cutsFirst: ({ deviceCutAt, stopDueAt }: Operation): boolean =>
      deviceCutAt !== null && stopDueAt !== null && deviceCutAt < stopDueAt,

    /** Sets or renews the profile where that is due and the device can do it. */
    async set(step: Step, operation: Operation, transaction: number): Promise<Date | null> {
      const { limit, energy, powerW, meteredAt, deviceCutAt, stopDueAt, statusAt } = operation;
      if (limit === null || meteredAt === null || energy >= limit) return deviceCutAt;
      const device = await deviceOf(step, operation);
      const { values = {}, configuredFor = '' } = device.configuration as KeptConfiguration;
      const isSmart = /\bSmartCharging\b/i.test(values.SupportedFeatureProfiles ?? '');
      if (!isSmart || device.profile_refused_by === configuredFor) return null;
      const now = clock.now().getTime();
      const mustRenew = this.cutsFirst(operation);
      // It would be held back behind the planned stop, and come after it.
      if (!mustRenew && stopDueAt !== null && stopDueAt.getTime() - now < quietMs) return deviceCutAt;
      if (deviceCutAt !== null && now - meteredAt.getTime() > freshMs) return deviceCutAt;
      const cutAt = meteredAt.getTime() + cutInMs(limit - energy, device.power_w, powerW);
      const leastMs = mustRenew ? 1_000 : leastGainMs;
      if (cutAt <= now || (deviceCutAt !== null && cutAt < deviceCutAt.getTime() + leastMs)) return deviceCutAt;
      await commands.enqueue(step, {
        chargePointId: operation.chargePoint,
        action: 'SetChargingProfile',
        payload: txProfile({
          connectorId: device.ocpp_connector,
          transactionId: transaction,
          ratedW: device.power_w,
          rateUnits: values.ChargingScheduleAllowedChargingRateUnit ?? '',
          // The device's own clock may be wrong; `ongoing` began when its start arrived here.
          cutAfterMs: cutAt - statusAt.getTime(),
        }),
        operationId: operation.id,
        outcomeTo,
      });
      await operations.change(step, operation.id, { device_cut_at: new Date(cutAt) });
      return new Date(cutAt);
    },

    /** A firmware that refuses the profile is not asked again; one that did not answer gets it again. */
    async answered(step: Step, operation: Operation, { status, answer }: CommandOutcome): Promise<void> {
      // After the end it is refused because its transaction is over.
      if (operation.status !== 'ongoing' || (status === 'answered' && answer?.status === 'Accepted')) return;
      if (status !== 'error' && status !== 'answered') {
        const next_action_at = new Date(clock.now().getTime() + tryAgainMs);
        await operations.change(step, operation.id, { device_cut_at: null, next_action_at });
        return;
      }
      const { configuration } = await deviceOf(step, operation);
      const { configuredFor = '' } = configuration as KeptConfiguration;
      await step.db
        .updateTable('charge_points')
        .set({ profile_refused_by: configuredFor })
        .where('id', '=', operation.chargePoint)
        .execute();
      await giveUp(step, operation);
    },

    /** The device holds the power back before the time that we gave it: it reads the schedule in another way. */
    async suspended(step: Step, operation: Operation): Promise<void> {
      const { deviceCutAt, limit, energy } = operation;
      if (deviceCutAt === null || limit === null || energy >= limit) return;
      const isEarly = deviceCutAt.getTime() - clock.now().getTime() > earlyMs;
      if (isEarly) await giveUp(step, operation);
      else await operations.change(step, operation.id, { next_action_at: clock.now() });
    },
  };

  /** Takes back what lies with the device, so that it cuts nothing off, and leaves this charge alone. */
  async function giveUp(step: Step, operation: Operation): Promise<void> {
    await operations.change(step, operation.id, { device_cut_at: new Date(clock.now().getTime() + neverMs) });
    const transaction = await operations.ocppTransaction(operation.id, step.db);
    if (!transaction) return;
    await commands.enqueue(step, {
      chargePointId: operation.chargePoint,
      action: 'ClearChargingProfile',
      payload: { id: transaction.id },
      operationId: operation.id,
      outcomeTo,
    });
  }
}

export type DeviceLimit = ReturnType<typeof createDeviceLimit>;
