import type { Clock } from '../platform/clock.ts';
import { type Database, isUniqueViolation } from '../platform/database.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step } from '../platform/step.ts';

export interface Card {
  id: number;
  user: number;
  idTag: string;
  depositLimit: number | null;
}

export interface BindRequest {
  id: number;
  user: number;
  station: number;
}

export function createRfidStore(db: Database, clock: Clock) {
  return {
    async ofUser(user: number) {
      const [cards, requests] = await Promise.all([
        db.selectFrom('rfid_cards').select(['id', 'id_tag']).where('user_id', '=', user).orderBy('id').execute(),
        db
          .selectFrom('rfid_requests')
          .innerJoin('stations', 'stations.id', 'rfid_requests.station_id')
          .select(['rfid_requests.id', 'stations.number', 'rfid_requests.expires_at'])
          .where('rfid_requests.user_id', '=', user)
          .where('rfid_requests.status', '=', 'open')
          .orderBy('rfid_requests.id')
          .execute(),
      ]);
      return { cards, requests };
    },

    async card(step: Step, idTag: string): Promise<Card | null> {
      const row = await step.db.selectFrom('rfid_cards').selectAll().where('id_tag', '=', idTag).executeTakeFirst();
      return row ? { id: row.id, user: row.user_id, idTag: row.id_tag, depositLimit: row.deposit_limit } : null;
    },

    /** Of the stations this device stands behind. */
    async openRequestAt(step: Step, chargePoint: number): Promise<BindRequest | null> {
      const row = await step.db
        .selectFrom('rfid_requests')
        .select(['id', 'user_id', 'station_id'])
        .where('status', '=', 'open')
        .where('expires_at', '>', clock.now())
        .where('station_id', 'in', (query) =>
          query.selectFrom('connectors').select('station_id').where('charge_point_id', '=', chargePoint),
        )
        .orderBy('id')
        .forUpdate()
        .executeTakeFirst();
      return row ? { id: row.id, user: row.user_id, station: row.station_id } : null;
    },

    async addRequest(step: Step, user: number, station: number, lifeMs: number): Promise<number> {
      const createdAt = clock.now();
      const expiresAt = new Date(createdAt.getTime() + lifeMs);
      try {
        const row = await step.db
          .insertInto('rfid_requests')
          .values({
            user_id: user,
            station_id: station,
            expires_at: expiresAt,
            next_action_at: expiresAt,
            created_at: createdAt,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        return row.id;
      } catch (error) {
        if (isUniqueViolation(error, 'rfid_requests_one_open_per_station')) throw new Refusal('bind_request_open');
        throw error;
      }
    },

    /** False when it was no longer open: whoever was first has decided. */
    async endRequest(step: Step, id: number, status: 'success' | 'fail' | 'expired'): Promise<boolean> {
      const ended = await step.db
        .updateTable('rfid_requests')
        .set({ status, next_action_at: null })
        .where('id', '=', id)
        .where('status', '=', 'open')
        .executeTakeFirst();
      return ended.numUpdatedRows > 0n;
    },

    async bind(step: Step, user: number, idTag: string): Promise<number | null> {
      const row = await step.db
        .insertInto('rfid_cards')
        .values({ user_id: user, id_tag: idTag, created_at: clock.now() })
        .onConflict((conflict) => conflict.column('id_tag').doNothing())
        .returning('id')
        .executeTakeFirst();
      return row?.id ?? null;
    },

    async removeCard(step: Step, user: number, id: number): Promise<boolean> {
      const removed = await step.db
        .deleteFrom('rfid_cards')
        .where('id', '=', id)
        .where('user_id', '=', user)
        .executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },

    async removeRequest(step: Step, user: number, id: number): Promise<boolean> {
      const removed = await step.db
        .deleteFrom('rfid_requests')
        .where('id', '=', id)
        .where('user_id', '=', user)
        .where('status', '=', 'open')
        .executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },

    async requestOf(id: number) {
      return db
        .selectFrom('rfid_requests')
        .innerJoin('stations', 'stations.id', 'rfid_requests.station_id')
        .select(['rfid_requests.user_id', 'rfid_requests.status', 'stations.number'])
        .where('rfid_requests.id', '=', id)
        .executeTakeFirst();
    },
  };
}

export type RfidStore = ReturnType<typeof createRfidStore>;
