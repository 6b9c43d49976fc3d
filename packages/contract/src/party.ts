import * as z from 'zod/mini';
import { OperationStatus, PaymentType } from './charging.ts';
import { ConnectorStatus, ConnectorType } from './connectors.ts';
import { endpoint } from './endpoint.ts';
import { Kopecks, WattHours, Watts } from './money.ts';
import { namesPeriod, periodFields } from './period.ts';
import { isShortName, Phone, personTexts } from './person.ts';
import { StationNumber } from './stations.ts';
import { Id, IdText, Instant, KyivDate, PageQuery } from './wire.ts';

/** Staff cannot be members, so the permission of drivers is enough; the server decides who owns the party. */
const access = ['access-account-page'] as const;
const ById = z.object({ id: IdText });

export const PartyAllowance = z.object({
  /** The member's balance is topped up to this amount. */
  amount: Kopecks,
  /** Of the month; every month has it. */
  day: z.int().check(z.gte(1), z.lte(28)),
  /** True: the owner's wallet was too small, so it does nothing until the owner sets it again. */
  is_stopped: z.boolean(),
});
export type PartyAllowance = z.infer<typeof PartyAllowance>;

export const PartyMember = z.object({
  id: Id,
  name: z.string(),
  phone_number: z.string(),
  icon: z.int(),
  is_owner: z.boolean(),
  balance: Kopecks,
  /** The part of the balance that came from the party; 0 in an open one. */
  party_balance: Kopecks,
  last_login: z.nullable(Instant),
  operations_24h: z.int(),
  energy_24h: WattHours,
  energy_week: WattHours,
  allowance: z.nullable(PartyAllowance),
});
export type PartyMember = z.infer<typeof PartyMember>;

export const PartyStation = z.object({
  number: StationNumber,
  address: z.string(),
  address_uk: z.string(),
  is_online: z.boolean(),
  connectors: z.array(z.object({ type: ConnectorType, status: ConnectorStatus, time_left: z.nullable(z.int()) })),
});
export type PartyStation = z.infer<typeof PartyStation>;

export const PartyData = z.object({
  party_name: z.string(),
  is_closed: z.boolean(),
  is_owner: z.boolean(),
  owner: z.object({ name: z.string(), icon: z.int() }),
  /** Empty for a member who is not the owner. */
  member_list: z.array(PartyMember),
  station_list: z.array(PartyStation),
  /** For a member who is not the owner: what leaving returns to the owner, what it leaves, and how many charges the owner sees. */
  own: z.nullable(z.object({ party_balance: Kopecks, own_balance: Kopecks, charges: z.int() })),
  /** Open ones, for the owner only. */
  invitations: z.array(z.object({ id: Id, phone_number: z.string(), created_at: Instant })),
});
export type PartyData = z.infer<typeof PartyData>;

export const partyData = endpoint({
  method: 'GET',
  path: '/api/party/data',
  beforeConfirmation: true,
  summary: "The caller's party: its stations, and for the owner its members",
  access,
  reply: PartyData,
  refusals: ['not_found'],
});

/** A member's id, everyone, or everyone divided by the number of members. */
export const PartyUser = z.union([z.enum(['all', 'avg']), IdText]);
const partyQuery = { user: PartyUser, ...periodFields };

const Percent = z.nullable(z.int().check(z.gte(0), z.lte(100)));

/** Energy. Percentages are null where the total is 0. */
const Shares = z.object({
  total: WattHours,
  /** Charged at no price. */
  free: WattHours,
  free_percentage: Percent,
  /** Charged by members. */
  party: WattHours,
  party_percentage: Percent,
});

export const PartyStats = z.extend(Shares, {
  charges: z.int(),
  by_station: z.array(
    z.extend(Shares, {
      number: z.string(),
      address: z.string(),
      address_uk: z.string(),
      /** Of the total of all stations; the other two are of this station's own total. */
      total_percentage: Percent,
    }),
  ),
  /** Every day of the period in the time zone of the caller, oldest first. */
  by_day: z.array(z.object({ date: KyivDate, energy: WattHours })),
  /** What each member charged of those that were asked for. */
  by_user: z.array(z.object({ id: Id, energy: WattHours })),
});
export type PartyStats = z.infer<typeof PartyStats>;

export const partyStats = endpoint({
  method: 'GET',
  path: '/api/party/stats',
  summary: 'Energy of a period: of one member, of all, or on average',
  access,
  query: z.object(partyQuery).check(namesPeriod),
  reply: PartyStats,
  refusals: ['not_found', 'not_party_owner'],
});

export const PartyOperation = z.object({
  id: Id,
  created_at: Instant,
  closed_at: z.nullable(Instant),
  energy: WattHours,
  price: Kopecks,
  total: Kopecks,
  /** The phone is empty when the user has left the party. */
  user: z.object({ id: Id, name: z.string(), phone_number: z.string(), icon: z.int() }),
  status: OperationStatus,
  payment_type: PaymentType,
  station_number: z.string(),
  address: z.string(),
  address_uk: z.string(),
  connector_type: ConnectorType,
  connector_number: z.string(),
  connector_power: Watts,
  car_name: z.nullable(z.string()),
});
export type PartyOperation = z.infer<typeof PartyOperation>;

export const partyOperations = endpoint({
  method: 'GET',
  path: '/api/party/trans',
  summary: 'Operations of members in a period, newest first; `before` is the last id of the page already seen',
  access,
  query: z.extend(PageQuery, partyQuery).check(namesPeriod),
  reply: z.array(PartyOperation),
  refusals: ['not_found', 'not_party_owner'],
});

export const resetMemberPassword = endpoint({
  method: 'POST',
  path: '/api/party/reset/:id',
  summary: "Give a member a new password; the member's sessions end",
  access,
  params: ById,
  reply: z.object({ success: z.literal(true), new_password: z.string() }),
  refusals: ['not_found', 'not_party_owner', 'password_reset_refused', 'too_many_attempts'],
});

/** The texts that pages translate. */
export const partyTexts = {
  nameRequired: 'Enter a name',
  nameShort: 'The name must have at least 3 characters.',
  ownNumber: 'This is your own phone number.',
} as const;

export const memberNameLeast = 3;

const MemberName = z.pipe(
  z.string(partyTexts.nameRequired).check(
    z.refine((text) => text.trim() !== '', { error: partyTexts.nameRequired, abort: true }),
    z.refine((text) => [...text.trim()].length >= memberNameLeast, { error: partyTexts.nameShort, abort: true }),
    z.refine(isShortName, personTexts.nameInvalid),
  ),
  z.transform((text: string) => text.trim().replace(/\s+/g, ' ')),
);

export const renameMember = endpoint({
  method: 'PATCH',
  path: '/api/party/members/:id',
  summary: 'Rename a member',
  access,
  params: ById,
  body: z.object({ name: MemberName }),
  reply: z.object({ name: z.string() }),
  refusals: ['not_found', 'not_party_owner'],
});

const Amount = Kopecks.check(z.positive('The amount must be greater than 0.'));
export const mostAllowance = 100_000_00;

export const giveToMembers = endpoint({
  method: 'POST',
  path: '/api/party/gift',
  summary: 'Give the same amount to each of these members: all of them, or none',
  access,
  body: z.object({ members: z.array(Id).check(z.minLength(1), z.maxLength(500)), amount: Amount }),
  reply: z.object({ balance: Kopecks }),
  refusals: ['not_found', 'not_party_owner', 'insufficient_balance', 'transfer_refused', 'only_owner_gifts'],
  movesMoney: true,
});

export const setAllowance = endpoint({
  method: 'POST',
  path: '/api/party/members/:id/allowance',
  summary: "Top a member's balance up to an amount on a day of every month, from the owner's wallet",
  access,
  params: ById,
  body: z.object({ amount: Amount.check(z.lte(mostAllowance)), day: PartyAllowance.shape.day }),
  reply: PartyAllowance,
  refusals: ['not_found', 'not_party_owner', 'transfer_refused'],
});

export const removeAllowance = endpoint({
  method: 'DELETE',
  path: '/api/party/members/:id/allowance',
  summary: 'End the monthly allowance of a member',
  access,
  params: ById,
  refusals: ['not_found', 'not_party_owner'],
});

export const inviteToParty = endpoint({
  method: 'POST',
  path: '/api/party/invitations',
  summary: 'Invite a driver by phone number; the answer does not say whether the number is known',
  access,
  body: z.object({ phone_number: Phone }),
  refusals: ['not_found', 'not_party_owner', 'already_in_party', 'too_many_attempts'],
});

export const withdrawInvitation = endpoint({
  method: 'DELETE',
  path: '/api/party/invitations/:id',
  summary: 'Take back an invitation that was not answered yet',
  access,
  params: ById,
  refusals: ['not_found', 'not_party_owner'],
});

export const PartyInvitation = z.object({
  id: Id,
  party_name: z.string(),
  owner_name: z.string(),
  is_closed: z.boolean(),
});
export type PartyInvitation = z.infer<typeof PartyInvitation>;

export const ownInvitations = endpoint({
  method: 'GET',
  path: '/api/party/invitations',
  summary: 'Invitations to parties that wait for the answer of the caller',
  access,
  reply: z.array(PartyInvitation),
});

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/party/invitations/:id/accept',
  summary: 'Become a member of the party that invited the caller',
  access,
  params: ById,
  refusals: ['not_found', 'already_in_party', 'staff_not_in_party', 'wallet_crosses_border'],
});

export const declineInvitation = endpoint({
  method: 'POST',
  path: '/api/party/invitations/:id/decline',
  summary: 'Decline an invitation to a party',
  access,
  params: ById,
  refusals: ['not_found'],
});

/** What returned to the owner, and what stayed in the wallet. */
const Parting = z.object({ returned: Kopecks, kept: Kopecks });

export const removeMember = endpoint({
  method: 'DELETE',
  path: '/api/party/members/:id',
  summary: "End the membership of a member; the party's money returns to the owner, the member's own money stays",
  access,
  params: ById,
  reply: Parting,
  refusals: ['not_found', 'not_party_owner', 'party_owner_stays', 'party_has_operations', 'wallet_crosses_border'],
  movesMoney: true,
});

export const leaveParty = endpoint({
  method: 'POST',
  path: '/api/party/leave',
  summary: "Leave the party; the money of a closed one returns to its owner, the member's own money stays",
  access,
  /** False refuses while the wallet has money of the party. */
  body: z.object({ return_to_owner: z.boolean() }),
  reply: Parting,
  refusals: ['not_found', 'party_owner_stays', 'party_has_balance', 'party_has_operations', 'wallet_crosses_border'],
});
