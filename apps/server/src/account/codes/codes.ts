import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { CodePurpose } from '@fpay/contract/sign-up';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Step } from '../../platform/step.ts';

export const codeLifeMs = 5 * 60_000;
const proofLifeMs = 10 * 60_000;
const mostEntries = 5;

/** `sign_in`, `second_factor` and `password_reset` are for users who have already entered the password. */
export type ProofPurpose = CodePurpose | 'sign_in' | 'second_factor' | 'password_reset';

/** Which phone is to be proven, for what, in which session. */
export interface Claim {
  /** `owner` of the session that requests it. */
  session: string;
  phone: string;
  purpose: ProofPurpose;
}

interface Dependencies {
  db: Database;
  clock: Clock;
  /** Keys the hashes, so that a stolen table does not disclose the codes. */
  secret: string;
}

/** One-time codes and the proofs they become. A proof is valid for one purpose, in one session, once. */
export function createCodes({ db, clock, secret }: Dependencies) {
  const hashOf = ({ session, phone, purpose }: Claim, code: string) =>
    createHmac('sha256', secret).update(`code\n${session}\n${phone}\n${purpose}\n${code}`).digest();
  const later = (ms: number) => new Date(clock.now().getTime() + ms);

  return {
    /** A new code; the previous one, and a proof made with it, become void. */
    async make(claim: Claim): Promise<string> {
      const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
      const fresh = { code_hash: hashOf(claim, code), entries: 0, code_expires_at: later(codeLifeMs) };
      await db
        .insertInto('phone_proofs')
        .values({ owner: claim.session, phone_number: claim.phone, purpose: claim.purpose, ...fresh })
        .onConflict((conflict) =>
          conflict.columns(['owner', 'phone_number', 'purpose']).doUpdateSet({ ...fresh, proven_until: null }),
        )
        .execute();
      return code;
    },

    /**
     * Counts the entry before it compares the code, so that parallel guessing gets no more attempts than sequential.
     */
    async enter(claim: Claim, code: string): Promise<boolean> {
      const row = await db
        .updateTable('phone_proofs')
        .set((set) => ({ entries: set('entries', '+', 1) }))
        .where('owner', '=', claim.session)
        .where('phone_number', '=', claim.phone)
        .where('purpose', '=', claim.purpose)
        .where('code_hash', 'is not', null)
        .where('entries', '<', mostEntries)
        .where('code_expires_at', '>', clock.now())
        .returning(['id', 'code_hash'])
        .executeTakeFirst();
      if (!row?.code_hash || !timingSafeEqual(row.code_hash, hashOf(claim, code))) return false;
      const proven = await db
        .updateTable('phone_proofs')
        .set({ code_hash: null, proven_until: later(proofLifeMs) })
        .where('id', '=', row.id)
        // A code that is entered twice at once counts once.
        .where('code_hash', '=', row.code_hash)
        .executeTakeFirst();
      return proven.numUpdatedRows > 0n;
    },

    /** The purposes for which this phone awaits a code in this session, newest first. */
    async awaited(session: string, phone: string): Promise<ProofPurpose[]> {
      const rows = await db
        .selectFrom('phone_proofs')
        .select('purpose')
        .where('owner', '=', session)
        .where('phone_number', '=', phone)
        .where('purpose', 'not in', ['sign_in', 'second_factor', 'password_reset'])
        .where('code_hash', 'is not', null)
        .orderBy('code_expires_at', 'desc')
        .execute();
      return rows.map((row) => row.purpose);
    },

    async isProven({ session, phone, purpose }: Claim): Promise<boolean> {
      const row = await db
        .selectFrom('phone_proofs')
        .select('id')
        .where('owner', '=', session)
        .where('phone_number', '=', phone)
        .where('purpose', '=', purpose)
        .where('proven_until', '>', clock.now())
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Uses the proof up, in the step that needs it. False when there is none. */
    async consume(step: Step, { session, phone, purpose }: Claim): Promise<boolean> {
      const used = await step.db
        .deleteFrom('phone_proofs')
        .where('owner', '=', session)
        .where('phone_number', '=', phone)
        .where('purpose', '=', purpose)
        .where('proven_until', '>', clock.now())
        .executeTakeFirst();
      return used.numDeletedRows > 0n;
    },

    async removeOld(): Promise<void> {
      await db.deleteFrom('phone_proofs').where('code_expires_at', '<', later(-proofLifeMs)).execute();
    },
  };
}

export type Codes = ReturnType<typeof createCodes>;
