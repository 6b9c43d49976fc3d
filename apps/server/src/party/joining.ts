import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { PartyInvitation } from '@fpay/contract/party';
import type { Clock } from '../platform/clock.ts';
import type { Viewer } from '../platform/http/session.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { InvitationStore } from './invitations-store.ts';
import { areOnOneSide } from './membership.ts';
import type { PartyMoney } from './ports.ts';
import type { PartyStore } from './store.ts';

interface Dependencies {
  steps: Steps;
  clock: Clock;
  parties: PartyStore;
  invitations: InvitationStore;
  money: PartyMoney;
  hasOpenOperation: (step: Step, user: number) => Promise<boolean>;
}

interface LeaveOptions {
  /** False refuses when the wallet has money of the party, so that it is never returned unasked. */
  returnsToOwner: boolean;
}

/** What becomes of the money of a member who leaves: what returned to the owner, and what stays with the member. */
export interface Parting {
  returned: Kopecks;
  kept: Kopecks;
}

/** How a driver becomes a member and how a member leaves. */
export function createJoining({ steps, clock, parties, invitations, money, hasOpenOperation }: Dependencies) {
  return {
    ownInvitations: (viewer: Viewer): Promise<PartyInvitation[]> => invitations.ofUser(viewer.id),

    async accept(viewer: Viewer, id: number): Promise<void> {
      await steps.run(async (step) => {
        const party = await invitations.end(step, id, { user: viewer.id }, 'accepted', clock.now());
        if (party === null) throw new Refusal('not_found');
        const { role, wallet } = await money.lockForJoining(step, viewer.id);
        if (role !== 'User') throw new Refusal('staff_not_in_party');
        await parties.addMember(step, party, viewer.id, clock.now());
        if (!areOnOneSide(await parties.sidesOf(step, [wallet]))) throw new Refusal('wallet_crosses_border');
      });
    },

    async decline(viewer: Viewer, id: number): Promise<void> {
      await steps.run(async (step) => {
        const party = await invitations.end(step, id, { user: viewer.id }, 'declined', clock.now());
        if (party === null) throw new Refusal('not_found');
      });
    },

    leave: (viewer: Viewer, options: LeaveOptions): Promise<Parting> =>
      steps.run((step) => leaveIn(step, viewer.id, options)),

    leaveIn,
    leaveClosed,
  };

  async function leaveIn(step: Step, member: number, options: LeaveOptions): Promise<Parting> {
    const party = await parties.lockOfUser(step, member);
    if (!party) throw new Refusal('not_found');
    if (party.ownerId === member) throw new Refusal('party_owner_stays');
    const parting = party.isClosed ? await leaveClosed(step, member, party.ownerId, options) : null;
    await parties.removeMember(step, party.id, member, clock.now());
    return parting ?? { returned: kopecks(0), kept: await money.balanceOf(step, member) };
  }

  /** The money of the party goes back to its owner; the member's own money is not touched. */
  async function leaveClosed(
    step: Step,
    member: number,
    owner: number,
    { returnsToOwner }: LeaveOptions,
  ): Promise<Parting> {
    const { own, party, isShared } = await money.lockForLeaving(step, { member, owner });
    if (isShared) throw new Refusal('wallet_crosses_border');
    // What is left of a deposit returns to the wallet that paid it, so it would leave the party after its member.
    if (await hasOpenOperation(step, member)) throw new Refusal('party_has_operations');
    if (party > 0 && !returnsToOwner) throw new Refusal('party_has_balance');
    return { returned: await money.returnToOwner(step, { member, owner }), kept: own };
  }
}

export type Joining = ReturnType<typeof createJoining>;
