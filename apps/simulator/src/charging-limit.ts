import type { ChargingProfile } from '@fpay/ocpp/v16/charging-profile';

/** A profile as it lies in the charge point, with the connector it was set for; 0 is all of them. */
export interface StoredProfile {
  connectorId: number;
  profile: ChargingProfile;
}

const purposes = ['ChargePointMaxProfile', 'TxDefaultProfile', 'TxProfile'] as const;

/**
 * What the profiles allow a connector now, in W; infinity when they say nothing. Per purpose the highest stack level that
 * has something to say wins, a TxProfile stands in for the default one, and the lowest of the rest applies.
 */
export function limitW(
  profiles: readonly StoredProfile[],
  connectorId: number,
  now: number,
  transactionStart: number,
  wattsPerAmpere: number,
): number {
  const limits = new Map<string, number>();
  for (const purpose of purposes) {
    const candidates = profiles
      .filter((stored) => stored.profile.chargingProfilePurpose === purpose)
      .filter((stored) => stored.connectorId === 0 || stored.connectorId === connectorId)
      .sort((a, b) => b.profile.stackLevel - a.profile.stackLevel);
    for (const { profile } of candidates) {
      const limit = scheduledLimit(profile, now, transactionStart);
      if (limit === null) continue;
      limits.set(purpose, profile.chargingSchedule.chargingRateUnit === 'A' ? limit * wattsPerAmpere : limit);
      break;
    }
  }
  if (limits.has('TxProfile')) limits.delete('TxDefaultProfile');
  return Math.min(...limits.values());
}

function scheduledLimit(profile: ChargingProfile, now: number, transactionStart: number): number | null {
  const { validFrom, validTo, chargingProfileKind, chargingSchedule } = profile;
  if (validFrom !== undefined && now < Date.parse(validFrom)) return null;
  if (validTo !== undefined && now >= Date.parse(validTo)) return null;
  const { startSchedule, duration, chargingSchedulePeriod } = chargingSchedule;
  const begin =
    chargingProfileKind === 'Relative' || startSchedule === undefined ? transactionStart : Date.parse(startSchedule);
  const elapsed = (now - begin) / 1000;
  if (elapsed < 0 || (duration !== undefined && elapsed >= duration)) return null;
  return chargingSchedulePeriod.findLast(({ startPeriod }) => startPeriod <= elapsed)?.limit ?? null;
}

/** Removes what ClearChargingProfile names; true when there was anything. */
export function clearProfiles(
  profiles: StoredProfile[],
  filter: { id?: number; connectorId?: number; chargingProfilePurpose?: string; stackLevel?: number },
): { kept: StoredProfile[]; hasCleared: boolean } {
  const isNamed = ({ connectorId, profile }: StoredProfile) =>
    filter.id !== undefined
      ? profile.chargingProfileId === filter.id
      : (filter.connectorId === undefined || filter.connectorId === connectorId) &&
        (filter.chargingProfilePurpose === undefined ||
          filter.chargingProfilePurpose === profile.chargingProfilePurpose) &&
        (filter.stackLevel === undefined || filter.stackLevel === profile.stackLevel);
  const kept = profiles.filter((stored) => !isNamed(stored));
  return { kept, hasCleared: kept.length < profiles.length };
}
