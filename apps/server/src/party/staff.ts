import { type Kopecks, kopecks } from '@fpay/contract/money';
import { type Audit, noRecord } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { Joining } from './joining.ts';
import { areOnOneSide } from './membership.ts';
import type { PartyAccounts, PartyMoney } from './ports.ts';
import type { PartyStore } from './store.ts';

/** What staff may do to parties, on record. The border of a closed party holds for staff too: no money crosses it. */
export interface PartyStaff {
  /** @refuses user_not_found, staff_not_in_party, already_in_party, wallet_crosses_border */
  add(staff: number, party: { name: string; owner: string; isClosed: boolean }): Promise<number>;
  /** @refuses not_found */
  rename(staff: number, id: number, name: string): Promise<void>;
  /**
   * The owner until now stays a member. Allowances are paid by the new owner from now on, who gets none.
   * @refuses not_found, user_not_found, not_party_member, action_not_applicable
   */
  changeOwner(staff: number, id: number, user: string): Promise<void>;
  /** @refuses not_found, action_not_applicable, wallet_crosses_border */
  close(staff: number, id: number): Promise<void>;
  /**
   * Returns the sum that went back to the owner.
   * @refuses not_found, action_not_applicable, party_has_balance, party_has_operations, wallet_crosses_border
   */
  open(staff: number, id: number, returnsToOwner: boolean): Promise<Kopecks>;
  /** @refuses not_found, user_not_found, staff_not_in_party, already_in_party, wallet_crosses_border */
  addMember(staff: number, id: number, user: string): Promise<void>;
  /** @refuses not_found, party_owner_stays, party_has_balance, party_has_operations, wallet_crosses_border */
  removeMember(staff: number, id: number, member: number, returnsToOwner: boolean): Promise<Kopecks>;
}

interface Dependencies {
  steps: Steps;
  clock: Clock;
  audit: Audit;
  parties: PartyStore;
  joining: Pick<Joining, 'leaveIn' | 'leaveClosed'>;
  money: Pick<PartyMoney, 'lockForJoining' | 'lockForLeaving' | 'returnToOwner'>;
  /** Informs a member who was removed, or whose party was opened, of both sums. */
  noteParting: PartyAccounts['noteParting'];
  /** By a phone or an id; null when there is none. */
  userOf: (text: string) => Promise<number | null>;
  /** Stations of a party look different to others when it is closed or opened. */
  publishParty: (step: Step, party: number) => Promise<void>;
}

const subject = (id: number) => ({ kind: 'party', id }) as const;

export function createPartyStaff(dependencies: Dependencies): PartyStaff {
  const { steps, clock, audit, parties, joining, money, noteParting, userOf, publishParty } = dependencies;

  async function known(text: string): Promise<number> {
    const user = await userOf(text);
    if (user === null) throw new Refusal('user_not_found');
    return user;
  }

  async function lock(step: Step, id: number) {
    const party = await step.db.selectFrom('parties').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!party) throw new Refusal('not_found');
    return party;
  }

  async function join(step: Step, party: number, user: number): Promise<void> {
    const { role, wallet, isTemporary } = await money.lockForJoining(step, user);
    if (role !== 'User' || isTemporary) throw new Refusal('staff_not_in_party');
    await parties.addMember(step, party, user, clock.now());
    if (!areOnOneSide(await parties.sidesOf(step, [wallet]))) throw new Refusal('wallet_crosses_border');
  }

  async function membersOf(step: Step, party: number): Promise<number[]> {
    const rows = await step.db
      .selectFrom('party_members')
      .select('user_id')
      .where('party_id', '=', party)
      .orderBy('user_id')
      .forUpdate()
      .execute();
    return rows.map(({ user_id }) => user_id);
  }

  return {
    async add(staff, { name, owner, isClosed }) {
      const user = await known(owner);
      return steps.run(async (step) => {
        const { id } = await step.db
          .insertInto('parties')
          .values({ name, owner_id: user, is_closed: isClosed, created_at: clock.now() })
          .returning('id')
          .executeTakeFirstOrThrow();
        await join(step, id, user);
        const after = { name, owner: user, is_closed: isClosed };
        await audit(step, { staff, action: 'party.add', subject: subject(id), after });
        return id;
      });
    },

    rename: (staff, id, name) =>
      steps.run(async (step) => {
        const party = await lock(step, id);
        if (party.name === name) return noRecord('unchanged');
        await step.db.updateTable('parties').set({ name }).where('id', '=', id).execute();
        const record = { before: { name: party.name }, after: { name } };
        await audit(step, { staff, action: 'party.rename', subject: subject(id), ...record });
      }),

    async changeOwner(staff, id, text) {
      const user = await known(text);
      await steps.run(async (step) => {
        const party = await lock(step, id);
        if (party.owner_id === user) return noRecord('unchanged');
        // The accounts are locked, so that no gift of the owner until now is in progress and none is deleted before the commit.
        await money.lockForLeaving(step, { member: user, owner: party.owner_id });
        const { role } = await money.lockForJoining(step, user);
        if ((await parties.lockMembers(step, id, [user])).length === 0) throw new Refusal('not_party_member');
        if (role !== 'User') throw new Refusal('action_not_applicable');
        // An owner has no money of the party, only their own.
        const ends = { member: user, owner: party.owner_id };
        const returned = party.is_closed ? await money.returnToOwner(step, ends) : 0;
        await step.db.updateTable('parties').set({ owner_id: user }).where('id', '=', id).execute();
        await step.db.deleteFrom('party_allowances').where('user_id', '=', user).execute();
        const record = { before: { owner: party.owner_id }, after: { owner: user, ...(returned > 0 && { returned }) } };
        await audit(step, { staff, action: 'party.change-owner', subject: subject(id), ...record });
      });
    },

    close: (staff, id) =>
      steps.run(async (step) => {
        const party = await lock(step, id);
        if (party.is_closed) throw new Refusal('action_not_applicable');
        await step.db.updateTable('parties').set({ is_closed: true }).where('id', '=', id).execute();
        for (const member of await membersOf(step, id)) {
          const { wallet } = await money.lockForJoining(step, member);
          if (!areOnOneSide(await parties.sidesOf(step, [wallet]))) throw new Refusal('wallet_crosses_border');
        }
        await publishParty(step, id);
        await audit(step, { staff, action: 'party.close', subject: subject(id), after: { is_closed: true } });
      }),

    open: (staff, id, returnsToOwner) =>
      steps.run(async (step) => {
        const party = await lock(step, id);
        if (!party.is_closed) throw new Refusal('action_not_applicable');
        let returned = 0;
        for (const member of await membersOf(step, id)) {
          if (member !== party.owner_id) {
            const parting = await joining.leaveClosed(step, member, party.owner_id, { returnsToOwner });
            returned += parting.returned;
            if (parting.returned > 0) await noteParting(step, { member, party: party.name, ...parting });
          }
        }
        await step.db.updateTable('parties').set({ is_closed: false }).where('id', '=', id).execute();
        await publishParty(step, id);
        const after = { is_closed: false, returned };
        await audit(step, { staff, action: 'party.open', subject: subject(id), after });
        return kopecks(returned);
      }),

    async addMember(staff, id, text) {
      const user = await known(text);
      await steps.run(async (step) => {
        await lock(step, id);
        await join(step, id, user);
        await audit(step, { staff, action: 'party.add-member', subject: subject(id), after: { user } });
      });
    },

    removeMember: (staff, id, member, returnsToOwner) =>
      steps.run(async (step) => {
        const party = await parties.lockOfUser(step, member);
        if (party?.id !== id) throw new Refusal('not_found');
        const { returned, kept } = await joining.leaveIn(step, member, { returnsToOwner });
        await noteParting(step, { member, party: party.name, returned, kept });
        const after = { returned };
        const before = { user: member };
        await audit(step, { staff, action: 'party.remove-member', subject: subject(id), before, after });
        return returned;
      }),
  };
}
