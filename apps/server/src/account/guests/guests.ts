import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { RowLoops } from '../../platform/rows/row-loops.ts';
import type { Step, Steps } from '../../platform/step.ts';
import type { UserStore } from '../store.ts';

const keptMs = 30 * 24 * 60 * 60_000;
const pageSize = 500;
const guestOf = ({ id }: { id: number }) => id;
const asIs = (id: number) => id;

interface Dependencies {
  db: Database;
  steps: Steps;
  rows: RowLoops;
  clock: Clock;
  users: UserStore;
  /** Every feature moves its rows that refer to the guest. */
  onUserMerged: (step: Step, from: number, to: number) => Promise<void>;
}

/** What happens to guests: they join an account, or they are deleted. */
export function createGuests({ db, steps, rows: loops, clock, users, onUserMerged }: Dependencies) {
  /** Locks the account that a guest joins. False when it was deleted; then everything stays with the guest. */
  async function lockAccount(step: Step, id: number): Promise<boolean> {
    const row = await step.db
      .selectFrom('users')
      .select('id')
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    return row !== undefined;
  }

  async function operationCount(step: Step, user: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from operations where user_id = ${user}`.execute(step.db);
    return rows[0]?.count ?? 0;
  }

  /** Guests whose wallet has a history stay, because ledger entries are never deleted. */
  async function oldGuests(after: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select u.id from users u join wallets w on w.owner_id = u.id
      where u.is_temporary and u.id > ${after} and u.created_at < ${new Date(clock.now().getTime() - keptMs)}
        and not exists (select 1 from operations o where o.user_id = u.id)
        and not exists (select 1 from transfers t where t.from_account = w.id and t.from_account >= 100)
        and not exists (select 1 from transfers t where t.to_account = w.id and t.to_account >= 100)
      order by u.id limit ${pageSize}`.execute(db);
    return rows.map((row) => row.id);
  }

  /** Fails when a row was added a moment ago that refers to the guest; such a guest stays. */
  const remove = (id: number) =>
    steps.run(async (step) => {
      await step.db.updateTable('users').set({ active_car_id: null }).where('id', '=', id).execute();
      await step.db.deleteFrom('sessions').where('user_id', '=', id).execute();
      await step.db.deleteFrom('cars').where('user_id', '=', id).execute();
      await sql`select discard_user(${id})`.execute(step.db);
    });

  return {
    /** A guest signed in to an account. Does nothing for a user who is no guest, or has joined already. */
    async join(step: Step, guest: number, user: number): Promise<void> {
      // Locks the whole row with its key: an operation that is just being opened is either seen below, or moved by the
      // sweep.
      const row = await step.db
        .selectFrom('users')
        .select('phone_number')
        .where('id', '=', guest)
        .where('is_temporary', '=', true)
        .where('role', '=', 'Guest')
        .where('joined_id', 'is', null)
        .forUpdate()
        .executeTakeFirst();
      if (!row || guest === user) return;
      if (!(await lockAccount(step, user))) throw new Refusal('unauthenticated');
      const moved = await operationCount(step, guest);
      await onUserMerged(step, guest, user);
      await step.db.updateTable('users').set({ joined_id: user }).where('id', '=', guest).execute();
      step.publish('signed-out', guest);
      await users.note(step, guest, 'user', `joined account ${user}`);
      await users.note(step, user, 'user', `took over ${moved} operations of guest ${row.phone_number}`);
    },

    /** Moves operations that a request in progress opened for a guest who had just joined. */
    async follow(): Promise<void> {
      const late = await db
        .selectFrom('users')
        .innerJoin('operations', 'operations.user_id', 'users.id')
        .select(['users.id', 'users.joined_id'])
        .distinct()
        .innerJoin('users as account', 'account.id', 'users.joined_id')
        .where('users.joined_id', 'is not', null)
        .where('account.deleted_at', 'is', null)
        .execute();
      await loops.each('account.follow', late, guestOf, async ({ id, joined_id }) => {
        if (joined_id === null) return;
        await steps.run(async (step) => {
          if (await lockAccount(step, joined_id)) await onUserMerged(step, id, joined_id);
        });
      });
    },

    /** Deletes guests older than 30 days without operations. Returns how many. */
    async removeOld(): Promise<number> {
      let removed = 0;
      let after = 0;
      for (;;) {
        const page = await oldGuests(after);
        removed += await loops.each('account.guest', page, asIs, remove);
        after = page.at(-1) ?? 0;
        if (page.length < pageSize) return removed;
      }
    },
  };
}

export type Guests = ReturnType<typeof createGuests>;
