import { describe, expect, it } from 'vitest';
import { clearProfiles, limitW, type StoredProfile } from './charging-limit.ts';

const begin = Date.UTC(2026, 10, 15, 10);
const iso = (at: number) => new Date(at).toISOString();

function profile(
  purpose: StoredProfile['profile']['chargingProfilePurpose'],
  limit: number,
  {
    connectorId = 1,
    stackLevel = 0,
    id = 1,
    ...schedule
  }: Record<string, unknown> & { connectorId?: number; stackLevel?: number; id?: number } = {},
): StoredProfile {
  return {
    connectorId,
    profile: {
      chargingProfileId: id,
      stackLevel,
      chargingProfilePurpose: purpose,
      chargingProfileKind: 'Relative',
      chargingSchedule: {
        chargingRateUnit: 'W',
        chargingSchedulePeriod: [{ startPeriod: 0, limit }],
        ...schedule,
      },
    },
  };
}

const limit = (profiles: StoredProfile[], afterMs = 0) => limitW(profiles, 1, begin + afterMs, begin, 400);

describe('the power that charging profiles allow', () => {
  const steps = [
    { startPeriod: 0, limit: 50_000 },
    { startPeriod: 60, limit: 20_000 },
  ];
  const cases: [what: string, profiles: StoredProfile[], afterMs: number, watts: number][] = [
    ['nothing said is no limit', [], 0, Number.POSITIVE_INFINITY],
    ['one says it', [profile('TxProfile', 7000)], 0, 7000],
    ['amperes are turned into watts', [profile('TxProfile', 10, { chargingRateUnit: 'A' })], 0, 4000],
    [
      'the lowest of the purposes',
      [profile('TxProfile', 7000), profile('ChargePointMaxProfile', 5000, { connectorId: 0 })],
      0,
      5000,
    ],
    [
      'the higher stack level of one purpose',
      [profile('TxProfile', 7000), profile('TxProfile', 9000, { stackLevel: 2 })],
      0,
      9000,
    ],
    [
      'a transaction’s own instead of the default',
      [profile('TxDefaultProfile', 5000), profile('TxProfile', 9000)],
      0,
      9000,
    ],
    ['another connector’s is not ours', [profile('TxProfile', 7000, { connectorId: 2 })], 0, Number.POSITIVE_INFINITY],
    ['the first period', [profile('TxProfile', 0, { chargingSchedulePeriod: steps })], 59_000, 50_000],
    ['the second period', [profile('TxProfile', 0, { chargingSchedulePeriod: steps })], 60_000, 20_000],
    ['over after its duration', [profile('TxProfile', 7000, { duration: 60 })], 60_000, Number.POSITIVE_INFINITY],
  ];
  it.each(cases)('%s', (_, profiles, afterMs, watts) => {
    expect(limit(profiles, afterMs)).toBe(watts);
  });

  it('applies only while the profile is valid and from the start of its schedule', () => {
    const timed = profile('TxProfile', 7000);
    Object.assign(timed.profile, {
      chargingProfileKind: 'Absolute',
      validFrom: iso(begin),
      validTo: iso(begin + 90_000),
    });
    Object.assign(timed.profile.chargingSchedule, { startSchedule: iso(begin + 30_000) });
    expect([-1000, 0, 30_000, 90_000].map((afterMs) => limit([timed], afterMs))).toEqual([
      Number.POSITIVE_INFINITY,
      Number.POSITIVE_INFINITY,
      7000,
      Number.POSITIVE_INFINITY,
    ]);
  });
});

it('profiles are cleared by id or by purpose', () => {
  const all = [
    profile('TxProfile', 1, { id: 1 }),
    profile('TxDefaultProfile', 1, { id: 2, connectorId: 0, stackLevel: 3 }),
  ];
  const left = (filter: Parameters<typeof clearProfiles>[1]) => {
    const { kept, hasCleared } = clearProfiles(all, filter);
    return [kept.map((stored) => stored.profile.chargingProfileId), hasCleared];
  };
  expect(left({})).toEqual([[], true]);
  expect(left({ id: 2 })).toEqual([[1], true]);
  expect(left({ id: 9 })).toEqual([[1, 2], false]);
  expect(left({ connectorId: 0, stackLevel: 3 })).toEqual([[1], true]);
  expect(left({ chargingProfilePurpose: 'TxProfile', connectorId: 0 })).toEqual([[1, 2], false]);
});
