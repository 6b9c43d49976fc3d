import { createHash, randomBytes } from 'node:crypto';
import type { NewOcpiPartner, OcpiPartnerItem } from '@fpay/contract/admin/integrations/ocpi';
import type { Audit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { isUniqueViolation } from '../../platform/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Steps } from '../../platform/step.ts';

/** At most 64 printable characters, as OCPI allows. */
export const newOcpiToken = (): string => `fpo_${randomBytes(32).toString('base64url')}`;
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();
/** How long the token before the last change works. */
export const previousTokenMs = 5 * 60_000;

export interface OcpiPartner {
  id: number;
  countryCode: string;
  partyId: string;
  status: 'invited' | 'registered' | 'fixed';
  /** As the caller sent it, for answers that must repeat it. */
  token: string;
}

export interface OcpiAccess {
  /** The partner of an `Authorization` header; null when it names none. */
  find(authorization: string | undefined, mayBePlain: boolean): Promise<OcpiPartner | null>;
}

/** What staff may do to partners, on record. */
export interface OcpiStaff {
  list(): Promise<{ versions_url: string; partners: OcpiPartnerItem[] }>;
  /** @refuses ocpi_partner_exists */
  add(staff: number, wanted: NewOcpiPartner): Promise<{ id: number; token: string; versions_url: string }>;
  /** @refuses not_found, action_not_applicable */
  renew(staff: number, id: number): Promise<{ id: number; token: string; versions_url: string }>;
  /** @refuses not_found, action_not_applicable */
  end(staff: number, id: number): Promise<void>;
}

/** The token as specified, in Base64; where parties of older versions call, also as it is. */
function tokensOf(authorization: string | undefined, mayBePlain: boolean): string[] {
  const [, sent] = /^Token\s+(\S{1,400})\s*$/i.exec(authorization ?? '') ?? [];
  if (sent === undefined) return [];
  // An example in the specification has a line feed inside, which parties copy.
  const decoded = Buffer.from(sent, 'base64').toString('utf8').trim();
  return mayBePlain ? [...new Set([decoded, sent])] : [decoded];
}

export function createOcpiAccess({ db, clock }: { db: Database; clock: Clock }): OcpiAccess {
  return {
    async find(authorization, mayBePlain) {
      for (const token of tokensOf(authorization, mayBePlain)) {
        const now = clock.now();
        const hash = hashOfToken(token);
        const row = await db
          .selectFrom('ocpi_partners')
          .select(['id', 'country_code', 'party_id', 'status', 'last_used_at'])
          .where('status', '<>', 'ended')
          .where((is) =>
            is.or([
              is('token_hash', '=', hash),
              is.and([is('previous_hash', '=', hash), is('previous_until', '>', now)]),
            ]),
          )
          .$narrowType<{ status: OcpiPartner['status'] }>()
          .executeTakeFirst();
        if (!row) continue;
        if (row.last_used_at === null || now.getTime() - row.last_used_at.getTime() > 60_000) {
          await db.updateTable('ocpi_partners').set({ last_used_at: now }).where('id', '=', row.id).execute();
        }
        const { id, status } = row;
        return { id, countryCode: row.country_code, partyId: row.party_id, status, token };
      }
      return null;
    },
  };
}

interface StaffDependencies {
  db: Database;
  steps: Steps;
  clock: Clock;
  audit: Audit;
  versionsUrl: string;
}

const subject = (id: number) => ({ kind: 'ocpi-partner', id }) as const;

export function createOcpiStaff({ db, steps, clock, audit, versionsUrl }: StaffDependencies): OcpiStaff {
  return {
    async list() {
      const rows = await db.selectFrom('ocpi_partners').selectAll().orderBy('id').execute();
      const partners = rows.map((row) => ({
        id: row.id,
        name: row.name,
        country_code: row.country_code,
        party_id: row.party_id,
        status: row.status,
        created_at: row.created_at.toISOString(),
        registered_at: row.registered_at?.toISOString() ?? null,
        last_used_at: row.last_used_at?.toISOString() ?? null,
      }));
      return { versions_url: versionsUrl, partners };
    },

    async add(staff, { name, country_code, party_id, has_registration }) {
      const token = newOcpiToken();
      const status = has_registration ? 'invited' : 'fixed';
      try {
        return await steps.run(async (step) => {
          const { id } = await step.db
            .insertInto('ocpi_partners')
            .values({
              name,
              country_code,
              party_id,
              status,
              token_hash: hashOfToken(token),
              staff_id: staff,
              created_at: clock.now(),
            })
            .returning('id')
            .executeTakeFirstOrThrow();
          const after = { name, country_code, party_id, status };
          await audit(step, { staff, action: 'ocpi-partner.add', subject: subject(id), after });
          return { id, token, versions_url: versionsUrl };
        });
      } catch (error) {
        if (isUniqueViolation(error, 'ocpi_partners_party')) throw new Refusal('ocpi_partner_exists');
        throw error;
      }
    },

    renew: (staff, id) =>
      steps.run(async (step) => {
        const found = await step.db
          .selectFrom('ocpi_partners')
          .select('status')
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst();
        if (!found) throw new Refusal('not_found');
        if (found.status === 'ended') throw new Refusal('action_not_applicable');
        const token = newOcpiToken();
        await step.db
          .updateTable('ocpi_partners')
          .set({
            token_hash: hashOfToken(token),
            previous_hash: null,
            previous_until: null,
            ...(found.status === 'registered' && { status: 'invited', their_token: null, registered_at: null }),
          })
          .where('id', '=', id)
          .execute();
        const before = { status: found.status };
        await audit(step, { staff, action: 'ocpi-partner.renew', subject: subject(id), before });
        return { id, token, versions_url: versionsUrl };
      }),

    end: (staff, id) =>
      steps.run(async (step) => {
        const found = await step.db
          .selectFrom('ocpi_partners')
          .select(['status', 'name'])
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst();
        if (!found) throw new Refusal('not_found');
        if (found.status === 'ended') throw new Refusal('action_not_applicable');
        const ended = {
          status: 'ended' as const,
          token_hash: null,
          previous_hash: null,
          previous_until: null,
          their_token: null,
        };
        await step.db.updateTable('ocpi_partners').set(ended).where('id', '=', id).execute();
        await audit(step, { staff, action: 'ocpi-partner.end', subject: subject(id), before: found });
      }),
  };
}
