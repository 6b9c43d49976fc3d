import type { Kopecks } from '@fpay/contract/money';
import { type PartyAllowance, partyTexts } from '@fpay/contract/party';
import type { Audit } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Viewer } from '../platform/http/session.ts';
import type { RateLimits } from '../platform/rate-limits.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { Allowances } from './allowances.ts';
import type { InvitationStore } from './invitations-store.ts';
import type { Joining, Parting } from './joining.ts';
import type { PartyAccounts, PartyMoney } from './ports.ts';
import type { PartyOfUser, PartyStore } from './store.ts';

interface Dependencies {
  steps: Steps;
  clock: Clock;
  limits: RateLimits;
  audit: Audit;
  parties: PartyStore;
  invitations: InvitationStore;
  allowances: Allowances;
  money: PartyMoney;
  accounts: PartyAccounts;
  phoneOf: (user: number) => Promise<string | null>;
  joining: Pick<Joining, 'leaveIn'>;
}

const dayMs = 86_400_000;
const limitsOf = {
  resetsPerDay: { most: 20, windowMs: dayMs },
  invitationsPerDay: { most: 50, windowMs: dayMs },
  messagesPerNumber: { most: 1, windowMs: dayMs },
  messagesPerOwner: { most: 20, windowMs: dayMs },
  /** A budget of its own, so that invitations never use up that of the codes. */
  messagesOfNetwork: { most: 500, windowMs: dayMs },
} as const;

/** Refuses everyone but the owner: those without a party as if there were nothing, members with the reason. */
export function ownedParty(party: PartyOfUser | null, viewer: Viewer): PartyOfUser {
  if (!party) throw new Refusal('not_found');
  if (party.ownerId !== viewer.id) throw new Refusal('not_party_owner');
  return party;
}

/** What an owner does for members. Another party's member gets the answer of an unknown id. */
export function createOwnerCommands(dependencies: Dependencies) {
  const { steps, clock, limits, audit, parties, invitations, allowances, money, accounts, phoneOf, joining } =
    dependencies;

  /** The answer is the same without a message: the driver also finds the invitation in the account. */
  async function maySend(owner: number, phone: string): Promise<boolean> {
    try {
      await limits.take({ key: `party-invite-sms:phone:${phone}`, ...limitsOf.messagesPerNumber });
      await limits.take({ key: `party-invite-sms:owner:${owner}`, ...limitsOf.messagesPerOwner });
      await limits.take({ key: 'party-invite-sms:network', ...limitsOf.messagesOfNetwork });
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'too_many_attempts') return false;
      throw error;
    }
  }

  async function lockMember(step: Step, viewer: Viewer, member: number): Promise<PartyOfUser> {
    const party = ownedParty(await parties.ofUser(viewer.id, step.db), viewer);
    const [found] = await parties.lockMembers(step, party.id, [member]);
    if (found === undefined) throw new Refusal('not_found');
    return party;
  }

  return {
    async rename(viewer: Viewer, member: number, name: string): Promise<{ name: string }> {
      return steps.run(async (step) => {
        await lockMember(step, viewer, member);
        await accounts.rename(step, member, name, viewer.id);
        return { name };
      });
    },

    async resetPassword(viewer: Viewer, member: number): Promise<string> {
      ownedParty(await parties.ofUser(viewer.id), viewer);
      await limits.take({ key: `party-reset:${viewer.id}`, ...limitsOf.resetsPerDay });
      const { password, hash } = await accounts.newPassword();
      await steps.run(async (step) => {
        await lockMember(step, viewer, member);
        if (member === viewer.id) throw new Refusal('password_reset_refused');
        await accounts.resetPassword(step, member, hash, viewer.id);
        const subject = { kind: 'user', id: member } as const;
        await audit(step, { staff: viewer.id, action: 'party.reset_password', subject });
      });
      return password;
    },

    async give(viewer: Viewer, members: readonly number[], amount: Kopecks, requestKey: string): Promise<Kopecks> {
      const recipients = [...new Set(members)];
      return steps.run(async (step) => {
        const party = ownedParty(await parties.ofUser(viewer.id, step.db), viewer);
        const found = await parties.lockMembers(step, party.id, recipients);
        if (found.length < recipients.length) throw new Refusal('not_found');
        if (recipients.includes(viewer.id)) throw new Refusal('transfer_refused');
        return money.giveEach(step, { sender: viewer.id, recipients, amount, requestKey });
      });
    },

    async setAllowance(
      viewer: Viewer,
      member: number,
      allowance: { amount: Kopecks; day: number },
    ): Promise<PartyAllowance> {
      return steps.run(async (step) => {
        await lockMember(step, viewer, member);
        if (member === viewer.id) throw new Refusal('transfer_refused');
        return allowances.set(step, member, allowance);
      });
    },

    async removeAllowance(viewer: Viewer, member: number): Promise<void> {
      await steps.run(async (step) => {
        await lockMember(step, viewer, member);
        if (!(await allowances.remove(step, member))) throw new Refusal('not_found');
      });
    },

    async invite(viewer: Viewer, phone: string): Promise<void> {
      const party = ownedParty(await parties.ofUser(viewer.id), viewer);
      if (phone === (await phoneOf(viewer.id))) {
        throw new Refusal('invalid_input', { fields: { phone_number: [partyTexts.ownNumber] } });
      }
      // The owner sees who is a member, so this answer reveals nothing.
      if (await invitations.isMemberPhone(party.id, phone)) throw new Refusal('already_in_party');
      await limits.take({ key: `party-invite:${viewer.id}`, ...limitsOf.invitationsPerDay });
      const sends = await maySend(viewer.id, phone);
      await steps.run(async (step) => {
        await invitations.add(step, party.id, phone, clock.now());
        if (sends) await accounts.noteInvitation(step, phone, party.name);
      });
    },

    /** The member gets a message with both sums, because it was not the member who decided. */
    async remove(viewer: Viewer, member: number): Promise<Parting> {
      return steps.run(async (step) => {
        const party = await lockMember(step, viewer, member);
        const parting = await joining.leaveIn(step, member, { returnsToOwner: true });
        await accounts.noteParting(step, { member, party: party.name, ...parting });
        const record = { subject: { kind: 'user', id: member } as const, after: { party: party.id, ...parting } };
        await audit(step, { staff: viewer.id, action: 'party.owner-removed-member', ...record });
        return parting;
      });
    },

    async withdraw(viewer: Viewer, id: number): Promise<void> {
      await steps.run(async (step) => {
        const party = ownedParty(await parties.ofUser(viewer.id, step.db), viewer);
        const ended = await invitations.end(step, id, { party: party.id }, 'withdrawn', clock.now());
        if (ended === null) throw new Refusal('not_found');
      });
    },
  };
}

export type OwnerCommands = ReturnType<typeof createOwnerCommands>;
