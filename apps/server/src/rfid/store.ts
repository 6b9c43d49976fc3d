import type { Clock } from '../platform/clock.ts';
import { type Database, isUniqueViolation } from '../platform/database.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step } from '../platform/step.ts';
import { connectorsOfDevice, stationNumbers } from '../stations/connectors.ts';

export interface RfidCard {
  id: number;
  /** Null for a card that was issued and is not bound yet. */
  user: number | null;
  idTag: string;
  depositLimit: number | null;
  isBlocked: boolean;
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
          .select(['id', 'station_id', 'expires_at'])
          .where('user_id', '=', user)
          .where('status', '=', 'open')
          .orderBy('id')
          .execute(),
      ]);
      const numbers = await stationNumbers(
        db,
        requests.map(({ station_id }) => station_id),
      );
      return {
        cards,
        requests: requests.map(({ id, station_id, expires_at }) => ({
          id,
          number: numbers.get(station_id) ?? '',
          expires_at,
        })),
      };
    },

    async card(step: Step, idTag: string): Promise<RfidCard | null> {
      const row = await step.db.selectFrom('rfid_cards').selectAll().where('id_tag', '=', idTag).executeTakeFirst();
      if (!row) return null;
      const { id, user_id: user, deposit_limit: depositLimit, blocked_at } = row;
      return { id, user, idTag: row.id_tag, depositLimit, isBlocked: blocked_at !== null };
    },

    /** The open request at the stations of this device. */
    async openRequestAt(step: Step, chargePoint: number): Promise<BindRequest | null> {
      const stations = (await connectorsOfDevice(step, chargePoint)).map(({ station }) => station);
      if (stations.length === 0) return null;
      const row = await step.db
        .selectFrom('rfid_requests')
        .select(['id', 'user_id', 'station_id'])
        .where('status', '=', 'open')
        .where('expires_at', '>', clock.now())
        .where('station_id', 'in', stations)
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

    /** False when it was no longer open, because another step ended it first. */
    async endRequest(step: Step, id: number, status: 'success' | 'fail' | 'expired'): Promise<boolean> {
      const ended = await step.db
        .updateTable('rfid_requests')
        .set({ status, next_action_at: null })
        .where('id', '=', id)
        .where('status', '=', 'open')
        .executeTakeFirst();
      return ended.numUpdatedRows > 0n;
    },

    /** A card that staff issued is bound as well as an unknown one. */
    async bind(step: Step, user: number, idTag: string): Promise<number | null> {
      const row = await step.db
        .insertInto('rfid_cards')
        .values({ user_id: user, id_tag: idTag, created_at: clock.now() })
        .onConflict((conflict) =>
          conflict
            .column('id_tag')
            .doUpdateSet({ user_id: user })
            .where('rfid_cards.user_id', 'is', null)
            .where('rfid_cards.blocked_at', 'is', null),
        )
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
      const row = await db
        .selectFrom('rfid_requests')
        .select(['user_id', 'status', 'station_id'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (!row) return undefined;
      const { user_id, status, station_id } = row;
      return { user_id, status, number: (await stationNumbers(db, [station_id])).get(station_id) ?? '' };
    },
  };
}

export type RfidStore = ReturnType<typeof createRfidStore>;
