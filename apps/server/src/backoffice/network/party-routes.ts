import {
  addParty,
  addPartyMember,
  changePartyOwner,
  closeParty,
  networkParties,
  networkParty,
  removePartyMember,
  renameParty,
  reopenParty,
} from '@fpay/contract/admin/network/parties';
import type { PartyStaff } from '../../party/staff.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { PartyLists } from './parties.ts';

export interface PartyParts {
  partyLists: PartyLists;
  parties: PartyStaff;
}

export function networkPartyRoutes(routes: Routes, { partyLists, parties }: PartyParts): void {
  routes.on(networkParties, () => partyLists.list());
  routes.on(networkParty, ({ params }) => partyLists.one(params.id));
  routes.on(addParty, async ({ viewer, body }) => {
    const { name, owner, is_closed: isClosed } = body;
    return { id: await parties.add(viewer.id, { name, owner, isClosed }) };
  });
  routes.on(renameParty, async ({ viewer, params, body }) => {
    await parties.rename(viewer.id, params.id, body.name);
    return undefined;
  });
  routes.on(changePartyOwner, async ({ viewer, params, body }) => {
    await parties.changeOwner(viewer.id, params.id, body.user);
    return undefined;
  });
  routes.on(closeParty, async ({ viewer, params }) => {
    await parties.close(viewer.id, params.id);
    return undefined;
  });
  routes.on(reopenParty, async ({ viewer, params, body }) => ({
    returned: await parties.open(viewer.id, params.id, body.return_to_owner),
  }));
  routes.on(addPartyMember, async ({ viewer, params, body }) => {
    await parties.addMember(viewer.id, params.id, body.user);
    return undefined;
  });
  routes.on(removePartyMember, async ({ viewer, params, body }) => ({
    returned: await parties.removeMember(viewer.id, params.id, params.user, body.return_to_owner),
  }));
}
