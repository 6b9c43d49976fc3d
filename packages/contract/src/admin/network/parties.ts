import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { Kopecks } from '../../money.ts';
import { Id, IdText } from '../../wire.ts';
import { UserText } from '../filters.ts';

const view = ['access-admin-page', 'view-network'] as const;
const manage = ['access-admin-page', 'view-network', 'manage-network'] as const;
const byId = z.object({ id: IdText });
const PartyName = z.string().check(z.trim(), z.minLength(1), z.maxLength(60));

export const PartyItem = z.object({
  id: Id,
  name: z.string(),
  is_closed: z.boolean(),
  owner: z.object({ id: Id, name: z.nullable(z.string()) }),
  members: z.int(),
  stations: z.int(),
});
export type PartyItem = z.infer<typeof PartyItem>;

export const networkParties = endpoint({
  method: 'GET',
  path: '/api/admin/network/parties',
  summary: 'All parties with their owner and how many members and stations they have',
  access: view,
  reply: z.array(PartyItem),
  openInMaintenance: true,
});

export const NetworkParty = z.extend(PartyItem, {
  member_list: z.array(
    z.object({
      id: Id,
      name: z.nullable(z.string()),
      phone_number: z.nullable(z.string()),
      balance: Kopecks,
      is_owner: z.boolean(),
    }),
  ),
  station_numbers: z.array(z.string()),
});
export type NetworkParty = z.infer<typeof NetworkParty>;

export const networkParty = endpoint({
  method: 'GET',
  path: '/api/admin/network/parties/:id',
  summary: 'One party with its members and stations',
  access: view,
  params: byId,
  reply: NetworkParty,
  refusals: ['not_found'],
  openInMaintenance: true,
});

export const addParty = endpoint({
  method: 'POST',
  path: '/api/admin/network/parties',
  summary: 'A new party; its owner is its first member',
  access: manage,
  money: [{ of: 'typed_user', at: 'body.owner' }],
  body: z.object({ name: PartyName, owner: UserText, is_closed: z.boolean() }),
  reply: z.object({ id: Id }),
  refusals: ['user_not_found', 'staff_not_in_party', 'already_in_party', 'wallet_crosses_border'],
});

export const renameParty = endpoint({
  method: 'PATCH',
  path: '/api/admin/network/parties/:id',
  summary: 'Give a party another name',
  access: manage,
  money: [{ of: 'party', at: 'params.id' }],
  params: byId,
  body: z.object({ name: PartyName }),
  refusals: ['not_found'],
});

export const changePartyOwner = endpoint({
  method: 'POST',
  path: '/api/admin/network/parties/:id/owner',
  summary: "Make a member the owner; the owner until now stays a member and gets back the party's money of the new one",
  access: manage,
  money: [
    { of: 'party', at: 'params.id' },
    { of: 'typed_user', at: 'body.user' },
  ],
  params: byId,
  body: z.object({ user: UserText }),
  refusals: ['not_found', 'user_not_found', 'not_party_member', 'action_not_applicable'],
});

export const closeParty = endpoint({
  method: 'POST',
  path: '/api/admin/network/parties/:id/close',
  summary: 'Close a party: its stations and its money are for its members only',
  access: manage,
  money: [{ of: 'party', at: 'params.id' }],
  params: byId,
  refusals: ['not_found', 'action_not_applicable', 'wallet_crosses_border'],
});

export const reopenParty = endpoint({
  method: 'POST',
  path: '/api/admin/network/parties/:id/open',
  summary: "Open a closed party; the party's money of members returns to the owner",
  access: manage,
  money: [{ of: 'party', at: 'params.id' }],
  params: byId,
  body: z.object({ return_to_owner: z.boolean() }),
  reply: z.object({ returned: Kopecks }),
  refusals: [
    'not_found',
    'action_not_applicable',
    'party_has_balance',
    'party_has_operations',
    'wallet_crosses_border',
  ],
});

export const addPartyMember = endpoint({
  method: 'POST',
  path: '/api/admin/network/parties/:id/members',
  summary: 'Add a driver to a party',
  access: manage,
  money: [
    { of: 'party', at: 'params.id' },
    { of: 'typed_user', at: 'body.user' },
  ],
  params: byId,
  body: z.object({ user: UserText }),
  refusals: ['not_found', 'user_not_found', 'staff_not_in_party', 'already_in_party', 'wallet_crosses_border'],
});

export const removePartyMember = endpoint({
  method: 'DELETE',
  path: '/api/admin/network/parties/:id/members/:user',
  summary: "Remove a member; from a closed party the party's money returns to the owner",
  access: manage,
  money: [
    { of: 'party', at: 'params.id' },
    { of: 'user', at: 'params.user' },
  ],
  params: z.object({ id: IdText, user: IdText }),
  body: z.object({ return_to_owner: z.boolean() }),
  reply: z.object({ returned: Kopecks }),
  refusals: ['not_found', 'party_owner_stays', 'party_has_balance', 'party_has_operations', 'wallet_crosses_border'],
});
