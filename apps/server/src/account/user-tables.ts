import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { UserTables } from '../platform/user-tables.ts';
import type { UserSessions } from './sign-in/sessions.ts';

interface Dependencies {
  clock: Clock;
  sessions: Pick<UserSessions, 'endAll'>;
}

/** What accounts do with their own rows; the row of the user itself is changed by the merge and by the deletion. */
export const accountUserTables = ({ clock, sessions }: Dependencies): UserTables => ({
  cars: {
    async onUserMerged(step, from, to) {
      await step.db.updateTable('users').set({ active_car_id: null }).where('id', '=', from).execute();
      await step.db.updateTable('cars').set({ user_id: to }).where('user_id', '=', from).execute();
    },
    /** Operations refer to the car, so its row stays without what identifies it. */
    async onUserDeleted(step, user) {
      await step.db
        .updateTable('cars')
        .set({ name: '—', manufacturer: null, model: null, plate: null, vin: null, deleted_at: clock.now() })
        .where('user_id', '=', user)
        .execute();
    },
  },
  former_contacts: {
    onUserMerged: 'kept: guests have no contacts of their own',
    async onUserDeleted(step, user) {
      await step.db.deleteFrom('former_contacts').where('user_id', '=', user).execute();
    },
  },
  sessions: {
    onUserMerged: (step, from) => sessions.endAll(from, null, step.db),
    onUserDeleted: (step, user) => sessions.endAll(user, null, step.db),
  },
  return_tokens: {
    async onUserMerged(step, from) {
      await step.db.deleteFrom('return_tokens').where('user_id', '=', from).execute();
    },
    async onUserDeleted(step, user) {
      await step.db.deleteFrom('return_tokens').where('user_id', '=', user).execute();
    },
  },
  trusted_devices: {
    onUserMerged: 'kept: guests have no second factor, so no device of theirs is trusted',
    async onUserDeleted(step, user) {
      await step.db.deleteFrom('trusted_devices').where('user_id', '=', user).execute();
    },
  },
  user_log: {
    onUserMerged: 'kept: the log of the guest says that they joined, and the log of the account says whom it took over',
    /** The product's role may not delete log lines; this function does it for deleted accounts only. */
    async onUserDeleted(step, user) {
      await sql`select forget_user_log(${user})`.execute(step.db);
    },
  },
  users: {
    onUserMerged: 'kept: joined_id of the guest leads to the account',
    onUserDeleted: 'kept: a guest who joined the account holds no data of the person',
  },
});
