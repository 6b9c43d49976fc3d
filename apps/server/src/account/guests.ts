import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { Refusal } from '../platform/refusal.ts';
import type { RowLoops } from '../platform/row-loops.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { UserSessions } from './sessions.ts';
import type { UserStore } from './store.ts';

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
  sessions: UserSessions;
  /** A guest may have been thanked by a promotion: what is in the wallet goes along. */
  moveMoney: (step: Step, from: number, to: number) => Promise<void>;
  /** A user has one unpaid operation: the guest's is the newer wish, so the account's own is withdrawn. */
  withdrawUnpaid: (step: Step, user: number, why: string) => Promise<unknown>;
}

/** What becomes of guests: they join an account, or they are forgotten. */
export function createGuests({
  db,
  steps,
  rows: loops,
  clock,
  users,
  sessions,
  moveMoney,
  withdrawUnpaid,
}: Dependencies) {
  /** Locks the account that a guest joins. False when it was deleted: then everything stays with the guest. */
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

  /** Rows that name their user by id move. Open operations are announced, so that pages and rights follow. */
  async function move(step: Step, from: number, to: number): Promise<number> {
    const unpaid = await step.db
      .selectFrom('operations')
      .select('id')
      .where('user_id', '=', from)
      .where('status', '=', 'created')
      .executeTakeFirst();
    if (unpaid) await withdrawUnpaid(step, to, 'replaced by a payment made as a guest');
    const operations = await step.db
      .updateTable('operations')
      .set({ user_id: to })
      .where('user_id', '=', from)
      .returning('id')
      .execute();
    for (const { id } of operations) step.tell('operation', id);
    await step.db.updateTable('payments').set({ user_id: to }).where('user_id', '=', from).execute();
    await step.db.updateTable('feedback').set({ user_id: to }).where('user_id', '=', from).execute();
    await step.db.updateTable('users').set({ active_car_id: null }).where('id', '=', from).execute();
    await step.db.updateTable('cars').set({ user_id: to }).where('user_id', '=', from).execute();
    await moveMoney(step, from, to);
    return operations.length;
  }

  /** Whose wallet has a history stays too: money never forgets. */
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

  /** Fails when something refers to the guest since a moment ago: such a guest stays. */
  const remove = (id: number) =>
    steps.run(async (step) => {
      await step.db.updateTable('users').set({ active_car_id: null }).where('id', '=', id).execute();
      for (const table of ['sessions', 'cars'] as const) {
        await step.db.deleteFrom(table).where('user_id', '=', id).execute();
      }
      await sql`select discard_user(${id})`.execute(step.db);
    });

  return {
    /** A guest signed in to an account. Does nothing for whoever is no guest, or has joined already. */
    async join(step: Step, guest: number, user: number): Promise<void> {
      // The whole row, keys too: an operation that is just being opened is either seen below, or follows with the sweep.
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
      const moved = await move(step, guest, user);
      await step.db.updateTable('users').set({ joined_id: user }).where('id', '=', guest).execute();
      await step.db.deleteFrom('return_tokens').where('user_id', '=', guest).execute();
      await sessions.endAll(guest, null, step.db);
      step.tell('signed-out', guest);
      step.tell('user', user);
      await users.note(step, guest, 'user', `joined account ${user}`);
      await users.note(step, user, 'user', `took over ${moved} operations of guest ${row.phone_number}`);
    },

    /** Operations that a request in flight opened for a guest who had just joined. */
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
        await steps.run(async (step) => ((await lockAccount(step, joined_id)) ? move(step, id, joined_id) : 0));
      });
    },

    /** Guests of over 30 days ago who have no operations are forgotten whole. Tells how many. */
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
