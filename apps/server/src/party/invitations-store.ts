import type { Database } from '../platform/database.ts';
import type { Step } from '../platform/step.ts';

export type InvitationEnd = 'accepted' | 'declined' | 'withdrawn';

/** Invitations are addressed to a phone number, so a number without an account can have one as well. */
export function createInvitationStore(db: Database) {
  return {
    async ofParty(party: number) {
      return db
        .selectFrom('party_invitations')
        .select(['id', 'phone_number', 'created_at'])
        .where('party_id', '=', party)
        .where('status', '=', 'open')
        .orderBy('id')
        .execute();
    },

    /** For the user who has this phone number now. */
    async ofUser(user: number) {
      return db
        .selectFrom('users')
        .innerJoin('party_invitations as i', 'i.phone_number', 'users.phone_number')
        .innerJoin('parties as p', 'p.id', 'i.party_id')
        .innerJoin('users as owner', 'owner.id', 'p.owner_id')
        .select(['i.id', 'p.name as party_name', 'owner.name as owner_name', 'p.is_closed'])
        .where('users.id', '=', user)
        .where('i.status', '=', 'open')
        .orderBy('i.id')
        .execute();
    },

    /** A repeated invitation is the same invitation. */
    async add(step: Step, party: number, phone: string, at: Date): Promise<void> {
      await step.db
        .insertInto('party_invitations')
        .values({ party_id: party, phone_number: phone, created_at: at })
        .onConflict((conflict) =>
          conflict.columns(['party_id', 'phone_number']).where('status', '=', 'open').doNothing(),
        )
        .execute();
    },

    /** Ends an open invitation of this user, and gives the party; null when there is none. */
    async end(step: Step, id: number, of: { user: number } | { party: number }, status: InvitationEnd, at: Date) {
      const row = await step.db
        .updateTable('party_invitations')
        .set({ status, ended_at: at })
        .where('id', '=', id)
        .where('status', '=', 'open')
        .$if('party' in of, (query) => query.where('party_id', '=', 'party' in of ? of.party : 0))
        .$if('user' in of, (query) =>
          query.where('phone_number', '=', (select) =>
            select
              .selectFrom('users')
              .select('phone_number')
              .where('id', '=', 'user' in of ? of.user : 0),
          ),
        )
        .returning('party_id')
        .executeTakeFirst();
      return row?.party_id ?? null;
    },

    async isMemberPhone(party: number, phone: string): Promise<boolean> {
      const row = await db
        .selectFrom('party_members')
        .innerJoin('users', 'users.id', 'party_members.user_id')
        .select('users.id')
        .where('party_members.party_id', '=', party)
        .where('users.phone_number', '=', phone)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

export type InvitationStore = ReturnType<typeof createInvitationStore>;
