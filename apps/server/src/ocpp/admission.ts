import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { RateLimits } from '../platform/rate-limits.ts';
import { Refusal } from '../platform/refusal.ts';
import { createGather } from './gather.ts';

export interface AdmittedChargePoint {
  id: number;
  identity: string;
}

export type Admission =
  | { chargePoint: AdmittedChargePoint }
  | { refused: 'unknown' | 'wrongKey' }
  | { refused: 'tooMany'; retryAfter: number };

interface Dependencies {
  db: Database;
  clock: Clock;
  limits: RateLimits;
  /** Whether this password, as bytes or as hex text, is the one whose hash we keep. In constant time. */
  isKey(presented: Buffer, keyHash: Buffer): boolean;
}

const minuteMs = 60_000;
/** A device with a wrong key tries every few seconds for days; keys of 160 bits are not guessed, but the log is spared. */
const wrongKeysAMinute = 10;
/** A site of twenty devices that nobody entered yet, behind one address. */
const unknownsAMinute = 60;

/** Who may connect. A good key always gets in: limits are on failures, and on the one identity they are about. */
export function createAdmission({ db, clock, limits, isKey }: Dependencies) {
  /** Keys of limits that this node has seen fail lately: only they are looked up before a try. */
  const failing = new Map<string, number>();

  const lookup = createGather<string, ChargePointRow | undefined>({
    waitMs: 2,
    most: 500,
    async run(identities) {
      const { rows } = await sql<ChargePointRow>`
        select id, identity, key_hash from charge_points where identity = any(${identities}::text[])`.execute(db);
      const byIdentity = new Map(rows.map((row) => [row.identity, row]));
      return identities.map((identity) => byIdentity.get(identity));
    },
  });

  async function fail(refused: 'unknown' | 'wrongKey', key: string, most: number): Promise<Admission> {
    if (failing.size > 10_000) failing.clear();
    failing.set(key, clock.now().getTime() + minuteMs);
    return limited(() => limits.take({ key, most, windowMs: minuteMs }), { refused });
  }

  return {
    async admit(identity: string, password: Buffer | null, address: string): Promise<Admission> {
      const wrongKeyLimit = `ocpp:key:${address}:${identity}`;
      const row = await lookup.add(identity);
      if (!row) return fail('unknown', `ocpp:unknown:${address}`, unknownsAMinute);
      if ((failing.get(wrongKeyLimit) ?? 0) > clock.now().getTime()) {
        const limit = { key: wrongKeyLimit, most: wrongKeysAMinute, windowMs: minuteMs };
        const checked = await limited(() => limits.check(limit), null);
        if (checked) return checked;
      }
      if (!isKey(password ?? Buffer.alloc(0), row.key_hash)) return fail('wrongKey', wrongKeyLimit, wrongKeysAMinute);
      return { chargePoint: { id: row.id, identity: row.identity } };
    },
  };
}

interface ChargePointRow {
  id: number;
  identity: string;
  key_hash: Buffer;
}

async function limited<Otherwise>(count: () => Promise<void>, otherwise: Otherwise): Promise<Admission | Otherwise> {
  try {
    await count();
    return otherwise;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: 'tooMany', retryAfter: error.retryAfter ?? 60 };
  }
}
