import { list, object, optional, type WireOf } from '../schema.ts';
import { decimal, instant, integer, oneOf } from '../values.ts';

export const chargingProfilePurpose = oneOf(['ChargePointMaxProfile', 'TxDefaultProfile', 'TxProfile']);

/** Limits power or current over time. 1.6 has no limit for energy, money or state of charge. */
export const chargingProfile = object({
  chargingProfileId: integer(),
  transactionId: optional(integer()),
  /** The highest level of one purpose applies; of several purposes the lowest limit applies. */
  stackLevel: integer({ min: 0 }),
  chargingProfilePurpose,
  chargingProfileKind: oneOf(['Absolute', 'Recurring', 'Relative']),
  recurrencyKind: optional(oneOf(['Daily', 'Weekly'])),
  validFrom: optional(instant()),
  validTo: optional(instant()),
  chargingSchedule: object({
    duration: optional(integer()),
    startSchedule: optional(instant()),
    chargingRateUnit: oneOf(['A', 'W']),
    chargingSchedulePeriod: list(
      object({ startPeriod: integer({ min: 0 }), limit: decimal(), numberPhases: optional(integer()) }),
    ),
    minChargingRate: optional(decimal()),
  }),
});

export type ChargingProfile = WireOf<typeof chargingProfile>;
