import { isStaff } from '@fpay/contract/roles';
import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { Outgoing } from './outgoing.ts';
import type { UserSessions } from './sessions.ts';
import type { UserStore } from './store.ts';

interface Dependencies {
  steps: Steps;
  clock: Clock;
  users: UserStore;
  sessions: UserSessions;
  outgoing: Outgoing;
}

/** A driver leaves for good. What others need, operations and money, stays; whose it was is forgotten. */
export function createLeaving({ steps, clock, users, sessions, outgoing }: Dependencies) {
  async function has(step: Step, query: ReturnType<typeof sql<{ found: boolean }>>): Promise<boolean> {
    const { rows } = await query.execute(step.db);
    return rows[0]?.found ?? false;
  }

  /** Each with its own reason, so that the driver knows what to do about it. */
  async function checkNothingIsOpen(step: Step, id: number): Promise<void> {
    const isOpen = await has(
      step,
      sql`select exists (select 1 from operations where user_id = ${id}
            and status in ('created', 'pending', 'starting', 'ongoing', 'finishing'))
          or exists (select 1 from payments where user_id = ${id} and closed_at is null
            and status in ('pending', 'created', 'processing', 'hold')
            and not exists (select 1 from operations o where o.id = payments.operation_id
              and o.status = 'pending_final_payment')) as found`,
    );
    if (isOpen) throw new Refusal('account_has_operations');
    const owes = sql<{ found: boolean }>`select exists (select 1 from operations
      where user_id = ${id} and status = 'pending_final_payment') as found`;
    if (await has(step, owes)) throw new Refusal('account_has_debt');
    const hasMoney = sql<{ found: boolean }>`select exists (select 1 from wallets w join accounts a on a.id = w.id
      where w.owner_id = ${id} and a.balance > 0) as found`;
    if (await has(step, hasMoney)) throw new Refusal('account_has_balance');
    const leads = sql<{ found: boolean }>`select exists (select 1 from parties where owner_id = ${id})
      or exists (select 1 from wallets where owner_id = ${id} and is_shared) as found`;
    if (await has(step, leads)) throw new Refusal('account_has_party');
  }

  async function forget(step: Step, id: number): Promise<void> {
    const { db } = step;
    await db.deleteFrom('party_members').where('user_id', '=', id).execute();
    await db.deleteFrom('trusted_devices').where('user_id', '=', id).execute();
    await db.deleteFrom('rfid_requests').where('user_id', '=', id).execute();
    await db.deleteFrom('rfid_cards').where('user_id', '=', id).execute();
    await db.updateTable('feedback').set({ comment: null }).where('user_id', '=', id).execute();
    await db
      .updateTable('cars')
      .set({ name: '—', manufacturer: null, model: null, plate: null, vin: null, deleted_at: clock.now() })
      .where('user_id', '=', id)
      .execute();
    await db
      .updateTable('users')
      .set({
        name: 'Deleted',
        // No phone starts like this, and the number itself is free for its next owner.
        phone_number: `DELETED${id}`,
        password_hash: null,
        icon: 4,
        active_car_id: null,
        telegram_id: null,
        deleted_at: clock.now(),
      })
      .where('id', '=', id)
      .execute();
    // The product's role may not delete log lines; this function does it for deleted accounts only.
    await sql`select forget_user_log(${id})`.execute(db);
    // Their own wallet again, if they used a shared one: nobody pays from it any more.
    await sql`update users set wallet_id = (select id from wallets where owner_id = ${id}) where id = ${id}`.execute(
      db,
    );
  }

  return {
    async leave(id: number): Promise<void> {
      await steps.run(async (step) => {
        // Keys too: nothing new, an operation or a payment, can begin to point here while we look.
        const row = await step.db
          .selectFrom('users')
          .select(['phone_number', 'language', 'role'])
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .forUpdate()
          .executeTakeFirst();
        if (!row) throw new Refusal('unauthenticated');
        if (isStaff(row.role as 'User')) throw new Refusal('account_is_staff');
        await checkNothingIsOpen(step, id);
        await forget(step, id);
        await sessions.endAll(id, null, step.db);
        step.tell('signed-out', id);
        await users.note(step, id, 'user', 'deleted the account');
        await outgoing.news(step, row.phone_number, row.language as 'uk', { kind: 'account_deleted' });
      });
    },
  };
}

export type Leaving = ReturnType<typeof createLeaving>;
