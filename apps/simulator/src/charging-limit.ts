import type { ChargingProfile } from '@fpay/ocpp/v16/charging-profile';

/** A stored profile with the connector for which it was set; 0 means all connectors. */
export interface StoredProfile {
  connectorId: number;
  profile: ChargingProfile;
}

const purposes = ['ChargePointMaxProfile', 'TxDefaultProfile', 'TxProfile'] as const;

/**
 * The power that the profiles allow a connector now, in W; infinity without a limit. Of each purpose the highest stack
 * level with a limit applies, a TxProfile replaces the TxDefaultProfile, and the lowest of the remaining limits
 * applies.
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

/** Removes the profiles that ClearChargingProfile selects; true when there was one. */
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
