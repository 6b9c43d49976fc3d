import { type Database, isUniqueViolation } from '../platform/database.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step } from '../platform/step.ts';
import type { Side } from './membership.ts';

type Connection = Database | Step['db'];

export interface PartyOfUser {
  id: number;
  name: string;
  ownerId: number;
  isClosed: boolean;
}

export interface StoredInvitation {
  id: number;
  partyId: number;
}

/** The ids of closed parties, for the queries of others that need to know whether a station belongs to one. */
export function closedParties(db: Connection) {
  return db.selectFrom('parties').select('parties.id').where('parties.is_closed', '=', true);
}

/** Whether there is such a party; it stays until the step ends. */
export async function partyExists({ db }: Step, party: number): Promise<boolean> {
  const known = await db.selectFrom('parties').select('id').where('id', '=', party).forKeyShare().executeTakeFirst();
  return known !== undefined;
}

export interface PartyStore {
  /** The party this user is a member of, as its owner or not. */
  ofUser(user: number, from?: Connection): Promise<PartyOfUser | null>;
  /** The same, and until the step ends neither the party nor this membership changes. */
  lockOfUser(step: Step, user: number): Promise<PartyOfUser | null>;
  /** The closed party this user is inside of. */
  closedPartyOf(user: number, from?: Connection): Promise<Side>;
  /** The different sides on which the users of these wallets are. */
  sidesOf(step: Step, wallets: readonly number[]): Promise<Side[]>;
  /** Which of these users are members of this party; their memberships stay until the step ends. */
  lockMembers(step: Step, party: number, users: readonly number[]): Promise<number[]>;
  /** Refuses with `already_in_party` when the user is in a party. The database keeps the stay that begins. */
  addMember(step: Step, party: number, user: number, at: Date): Promise<void>;
  removeMember(step: Step, party: number, user: number, at: Date): Promise<void>;
}

export function createPartyStore(db: Database): PartyStore {
  const ofUser = (user: number, from: Connection) =>
    from
      .selectFrom('party_members')
      .innerJoin('parties', 'parties.id', 'party_members.party_id')
      .select(['parties.id', 'parties.name', 'parties.owner_id as ownerId', 'parties.is_closed as isClosed'])
      .where('party_members.user_id', '=', user);

  return {
    async ofUser(user, from = db) {
      return (await ofUser(user, from).executeTakeFirst()) ?? null;
    },

    async lockOfUser(step, user) {
      return (await ofUser(user, step.db).forShare('parties').forUpdate('party_members').executeTakeFirst()) ?? null;
    },

    async closedPartyOf(user, from = db) {
      const row = await closedParties(from)
        .innerJoin('party_members', 'party_members.party_id', 'parties.id')
        .where('party_members.user_id', '=', user)
        .executeTakeFirst();
      return row?.id ?? null;
    },

    async sidesOf(step, wallets) {
      const rows = await step.db
        .selectFrom('users')
        .leftJoin('party_members', 'party_members.user_id', 'users.id')
        .leftJoin(closedParties(step.db).as('closed'), 'closed.id', 'party_members.party_id')
        .select('closed.id')
        .distinct()
        .where('users.wallet_id', 'in', wallets)
        .execute();
      return rows.map(({ id }) => id);
    },

    async lockMembers(step, party, users) {
      const rows = await step.db
        .selectFrom('party_members')
        .select('user_id')
        .where('party_id', '=', party)
        .where('user_id', 'in', users)
        .orderBy('user_id')
        .forShare()
        .execute();
      return rows.map((row) => row.user_id);
    },

    async addMember(step, party, user, at) {
      try {
        await step.db.insertInto('party_members').values({ party_id: party, user_id: user, joined_at: at }).execute();
      } catch (error) {
        if (isUniqueViolation(error)) throw new Refusal('already_in_party');
        throw error;
      }
    },

    async removeMember(step, party, user, at) {
      await step.db.deleteFrom('party_members').where('party_id', '=', party).where('user_id', '=', user).execute();
      await step.db
        .updateTable('party_stays')
        .set({ left_at: at })
        .where('party_id', '=', party)
        .where('user_id', '=', user)
        .where('left_at', 'is', null)
        .execute();
    },
  };
}
