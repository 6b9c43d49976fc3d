import {
  acceptInvitation,
  declineInvitation,
  giveToMembers,
  inviteToParty,
  leaveParty,
  ownInvitations,
  partyData,
  partyOperations,
  partyStats,
  removeAllowance,
  removeMember,
  renameMember,
  resetMemberPassword,
  setAllowance,
  withdrawInvitation,
} from '@fpay/contract/party';
import type { Routes } from '../platform/http/routes.ts';
import type { Joining } from './joining.ts';
import type { OwnerCommands } from './owner.ts';
import type { PartyViews } from './views.ts';

interface Dependencies {
  views: PartyViews;
  owner: OwnerCommands;
  joining: Joining;
}

export function partyRoutes(routes: Routes, { views, owner, joining }: Dependencies): void {
  routes.on(partyData, ({ viewer }) => views.data(viewer));
  routes.on(partyStats, ({ viewer, query }) => views.stats(viewer, query));
  routes.on(partyOperations, ({ viewer, query }) => views.operations(viewer, query, query));

  routes.on(resetMemberPassword, async ({ viewer, params }) => ({
    success: true as const,
    new_password: await owner.resetPassword(viewer, params.id),
  }));
  routes.on(renameMember, ({ viewer, params, body }) => owner.rename(viewer, params.id, body.name));
  routes.on(giveToMembers, async ({ viewer, body, requestKey }) => ({
    balance: await owner.give(viewer, body.members, body.amount, requestKey),
  }));
  routes.on(setAllowance, ({ viewer, params, body }) => owner.setAllowance(viewer, params.id, body));
  routes.on(removeAllowance, async ({ viewer, params }) => {
    await owner.removeAllowance(viewer, params.id);
    return undefined;
  });
  routes.on(inviteToParty, async ({ viewer, body }) => {
    await owner.invite(viewer, body.phone_number);
    return undefined;
  });
  routes.on(withdrawInvitation, async ({ viewer, params }) => {
    await owner.withdraw(viewer, params.id);
    return undefined;
  });

  routes.on(ownInvitations, ({ viewer }) => joining.ownInvitations(viewer));
  routes.on(acceptInvitation, async ({ viewer, params }) => {
    await joining.accept(viewer, params.id);
    return undefined;
  });
  routes.on(declineInvitation, async ({ viewer, params }) => {
    await joining.decline(viewer, params.id);
    return undefined;
  });
  routes.on(leaveParty, ({ viewer, body }) => joining.leave(viewer, { returnsToOwner: body.return_to_owner }));
  routes.on(removeMember, ({ viewer, params }) => owner.remove(viewer, params.id));
}
