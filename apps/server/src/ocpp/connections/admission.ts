import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { addressKey, type Limit, type RateLimits } from '../../platform/rate-limits.ts';
import { Refusal } from '../../platform/refusal.ts';
import { createBatch } from '../../platform/rows/batch.ts';
import { type ClientCertificate, certificateRefusal } from './client-certificate.ts';
import type { ConnectionRefusalReason } from './refused-connections.ts';

export interface Credentials {
  identity: string;
  password: Buffer | null;
  certificate: ClientCertificate | null;
  address: string;
}

export interface AdmittedChargePoint {
  id: number;
  identity: string;
}

export type Admission =
  | { chargePoint: AdmittedChargePoint }
  /** The reason is only for staff; the answer must not disclose it. */
  | { refused: 'notAdmitted'; reason: ConnectionRefusalReason }
  | { refused: 'tooMany'; retryAfter: number };

interface Dependencies {
  db: Database;
  clock: Clock;
  limits: Pick<RateLimits, 'take'>;
  /** Whether this password, as bytes or as hex text, matches the stored hash. Runs in constant time. */
  isKey(presented: Buffer, keyHash: Buffer): boolean;
}

const minuteMs = 60_000;
/**
 * A device with a wrong key retries every few seconds for days. Keys of 160 bits cannot be guessed; the limit saves
 * work.
 */
const failuresAMinute = 10;
/** Allows for a site of twenty devices behind one address that are not in the network yet. */
const failuresOfAddressAMinute = 60;
const mostRemembered = 10_000;

/**
 * Decides which devices may connect. A right key is always accepted: limits count failures only, and are checked only
 * after the key was found wrong. An unknown identity is handled like a wrong key, so that neither the answer nor its
 * time discloses which identities exist.
 */
export function createAdmission({ db, clock, limits, isKey }: Dependencies) {
  /** Exhausted limits and when they end, so that a flood of wrong keys costs the database one statement a minute. */
  const usedUp = new Map<string, number>();
  /** Used instead of the hash of an unknown identity; no key matches it. */
  const noKey = randomBytes(32);

  const lookup = createBatch<string, ChargePointRow | undefined>({
    waitMs: 2,
    most: 500,
    async run(identities) {
      const { rows } = await sql<ChargePointRow>`
        select id, identity, key_hash, needs_certificate from charge_points where identity = any(${identities}::text[])`.execute(
        db,
      );
      const byIdentity = new Map(rows.map((row) => [row.identity, row]));
      return identities.map((identity) => byIdentity.get(identity));
    },
  });

  /** Null when the limit allows this failure, otherwise the seconds until it allows one again. */
  async function count(limit: Limit): Promise<number | null> {
    const now = clock.now().getTime();
    const until = usedUp.get(limit.key) ?? 0;
    if (until > now) return Math.ceil((until - now) / 1000);
    try {
      await limits.take(limit);
      return null;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const retryAfter = error.retryAfter ?? 60;
      if (usedUp.size >= mostRemembered) usedUp.clear();
      usedUp.set(limit.key, now + retryAfter * 1000);
      return retryAfter;
    }
  }

  /** Of security profile 3 the certificate alone counts, as the standard says; of the others the password. */
  function refusalOf(row: ChargePointRow | undefined, { password, certificate }: Credentials) {
    const isRight = isKey(password ?? Buffer.alloc(0), row?.key_hash ?? noKey);
    if (!row) return 'unknown_identity';
    if (row.needs_certificate) return certificateRefusal(certificate, row.identity);
    return isRight ? null : 'wrong_password';
  }

  return {
    async admit(credentials: Credentials): Promise<Admission> {
      const { identity, address } = credentials;
      const row = await lookup.add(identity);
      const reason = refusalOf(row, credentials);
      if (row && reason === null) return { chargePoint: { id: row.id, identity: row.identity } };
      const from = addressKey(address);
      const retryAfter =
        (await count({ key: `ocpp:failed:${from}`, most: failuresOfAddressAMinute, windowMs: minuteMs })) ??
        (await count({ key: `ocpp:failed:${from}:${identity}`, most: failuresAMinute, windowMs: minuteMs }));
      if (retryAfter !== null) return { refused: 'tooMany', retryAfter };
      return { refused: 'notAdmitted', reason: reason ?? 'unknown_identity' };
    },
  };
}

interface ChargePointRow {
  id: number;
  identity: string;
  key_hash: Buffer;
  needs_certificate: boolean;
}
