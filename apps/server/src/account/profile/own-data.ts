import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { RateLimits } from '../../platform/rate-limits.ts';
import { Refusal } from '../../platform/refusal.ts';

const downloads = { most: 5, windowMs: 60 * 60_000 };
const pageSize = 500;

interface Dependencies {
  db: Database;
  clock: Clock;
  limits: RateLimits;
  /** A page of the wallet's transactions, newest first. */
  transactions: (userId: number, page: { before?: number; limit: number }) => Promise<{ id: number }[]>;
}

/** What the driver charged, paid and said about it. */
async function chargesOf(db: Database, id: number) {
  return {
    operations: await db
      .selectFrom('operations')
      .innerJoin('stations', 'stations.id', 'operations.station_id')
      .select(['operations.id', 'stations.number as station', 'operations.connector_id', 'operations.car_id'])
      .select(['operations.status', 'operations.source', 'operations.payment_type', 'operations.price'])
      .select(['operations.deposit', 'operations.energy_wh', 'operations.total', 'operations.stop_cause'])
      .select(['operations.created_at', 'operations.started_at', 'operations.finished_at'])
      .where('operations.user_id', '=', id)
      .orderBy('operations.id')
      .execute(),
    payments: await db
      .selectFrom('payments')
      .select(['id', 'purpose', 'method', 'operation_id', 'amount', 'hold_status', 'captured', 'refunded'])
      .select(['masked_pan', 'rrn', 'fiscal_number', 'created_at', 'closed_at'])
      .where('user_id', '=', id)
      .orderBy('id')
      .execute(),
    feedback: await db
      .selectFrom('feedback')
      .select(['operation_id', 'rating', 'comment', 'created_at'])
      .where('user_id', '=', id)
      .orderBy('id')
      .execute(),
  };
}

/** Cards: those at the reader, and those that the bank saved. */
async function cardsOf(db: Database, id: number) {
  return {
    rfid_cards: await db
      .selectFrom('rfid_cards')
      .select(['id', 'deposit_limit', 'created_at'])
      .select(sql<string>`'•••• ' || right(id_tag, 4)`.as('number'))
      .where('user_id', '=', id)
      .orderBy('id')
      .execute(),
    rfid_requests: await db
      .selectFrom('rfid_requests')
      .innerJoin('stations', 'stations.id', 'rfid_requests.station_id')
      .select(['stations.number as station', 'rfid_requests.status', 'rfid_requests.created_at'])
      .where('rfid_requests.user_id', '=', id)
      .orderBy('rfid_requests.id')
      .execute(),
    saved_cards: await db
      .selectFrom('saved_cards')
      .select(['id', 'masked_pan', 'system', 'created_at', 'used_at', 'expired_at', 'removed_at'])
      .where('user_id', '=', id)
      .orderBy('id')
      .execute(),
  };
}

/** Stations that the driver marked or waits for. */
async function stationsOf(db: Database, id: number) {
  return {
    favourite_stations: await db
      .selectFrom('favourite_stations')
      .innerJoin('stations', 'stations.id', 'favourite_stations.station_id')
      .select(['stations.number as station', 'favourite_stations.created_at'])
      .where('favourite_stations.user_id', '=', id)
      .orderBy('favourite_stations.created_at')
      .execute(),
    free_alerts: await db
      .selectFrom('free_alerts')
      .innerJoin('stations', 'stations.id', 'free_alerts.station_id')
      .select(['stations.number as station', 'free_alerts.connector_type', 'free_alerts.connector_id'])
      .select(['free_alerts.created_at', 'free_alerts.expires_at', 'free_alerts.ended_at', 'free_alerts.end_reason'])
      .where('free_alerts.user_id', '=', id)
      .orderBy('free_alerts.id')
      .execute(),
  };
}

/** What the driver and support wrote to each other. Notes of staff are about their work and are left out. */
async function casesOf(db: Database, id: number) {
  return {
    cases: await db
      .selectFrom('cases')
      .select(['id', 'source', 'state', 'subject', 'operation_id', 'opened_at', 'closed_at'])
      .where('user_id', '=', id)
      .orderBy('id')
      .execute(),
    case_messages: await db
      .selectFrom('case_entries')
      .innerJoin('cases', 'cases.id', 'case_entries.case_id')
      .select(['case_entries.case_id', 'case_entries.kind', 'case_entries.text', 'case_entries.created_at'])
      .where('cases.user_id', '=', id)
      .where('case_entries.kind', 'in', ['from_driver', 'to_driver'])
      .orderBy('case_entries.id')
      .execute(),
  };
}

/** How the driver is reached, and where signed in. */
async function reachedBy(db: Database, id: number) {
  return {
    notice_channels: await db
      .selectFrom('notice_channels')
      .select(['by_push', 'by_telegram', 'by_sms'])
      .where('user_id', '=', id)
      .execute(),
    push_subscriptions: await db
      .selectFrom('push_subscriptions')
      .select(['created_at', 'seen_at'])
      .where('user_id', '=', id)
      .orderBy('id')
      .execute(),
    sessions: await db
      .selectFrom('sessions')
      .select(['ip', 'user_agent', 'created_at', 'last_seen_at'])
      .where('user_id', '=', id)
      .orderBy('id')
      .execute(),
  };
}

/**
 * All stored data about a driver, for the driver. Secrets (hashes, tokens, whole card numbers) and other people's data
 * are left out.
 */
export function createOwnData({ db, clock, limits, transactions }: Dependencies) {
  async function allTransactions(userId: number): Promise<Record<string, unknown>[]> {
    const all: { id: number }[] = [];
    for (;;) {
      const before = all.at(-1)?.id;
      const page = await transactions(userId, { limit: pageSize, ...(before !== undefined && { before }) });
      all.push(...page);
      if (page.length < pageSize) return all.map((one) => ({ ...one }));
    }
  }

  return {
    async download(id: number) {
      await limits.take({ key: `own-data:${id}`, ...downloads });
      const user = await db
        .selectFrom('users')
        .select(['id', 'name', 'phone_number', 'icon', 'language', 'role', 'telegram_id', 'terms_version'])
        .select(['active_car_id', 'last_login_at', 'created_at'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (!user) throw new Refusal('unauthenticated');
      return {
        made_at: clock.now().toISOString(),
        user,
        cars: await db.selectFrom('cars').selectAll().where('user_id', '=', id).orderBy('id').execute(),
        ...(await chargesOf(db, id)),
        balance_transactions: await allTransactions(id),
        ...(await cardsOf(db, id)),
        ...(await stationsOf(db, id)),
        ...(await casesOf(db, id)),
        ...(await reachedBy(db, id)),
        party: await db
          .selectFrom('party_members')
          .innerJoin('parties', 'parties.id', 'party_members.party_id')
          .leftJoin('party_allowances', 'party_allowances.user_id', 'party_members.user_id')
          .select(['parties.name', 'parties.is_closed', 'party_members.joined_at'])
          .select(['party_allowances.amount as allowance', 'party_allowances.day as allowance_day'])
          .select(({ eb }) => eb('parties.owner_id', '=', id).as('is_owner'))
          .where('party_members.user_id', '=', id)
          .execute(),
        log: await db
          .selectFrom('user_log')
          .select(['created_at', 'actor', 'text'])
          .where('user_id', '=', id)
          .orderBy('id')
          .execute(),
      };
    },
  };
}

export type OwnDataExport = ReturnType<typeof createOwnData>;
