import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { noMoney } from '../../staff-money.ts';
import { Id, IdText, Instant } from '../../wire.ts';

const manage = ['access-admin-page', 'manage-integrations'] as const;
const ById = z.object({ id: IdText });

export const ocpiStates = ['invited', 'registered', 'fixed', 'ended'] as const;

const OcpiPartnerItem = z.object({
  id: Id,
  name: z.string(),
  country_code: z.string(),
  party_id: z.string(),
  status: z.enum(ocpiStates),
  created_at: Instant,
  registered_at: z.nullable(Instant),
  last_used_at: z.nullable(Instant),
});
export type OcpiPartnerItem = z.infer<typeof OcpiPartnerItem>;

export const ocpiPartners = endpoint({
  method: 'GET',
  path: '/api/admin/integrations/ocpi',
  summary: 'Partners that read the stations over OCPI, with the address to give to them',
  access: manage,
  reply: z.object({ versions_url: z.string(), partners: z.array(OcpiPartnerItem) }),
});

/** What staff give to the partner by a safe way. The token is in no other answer. */
const OcpiToken = z.object({ id: Id, token: z.string(), versions_url: z.string() });

export const NewOcpiPartner = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(80)),
  country_code: z.string().check(z.regex(/^[A-Z]{2}$/, 'must be two capital letters')),
  party_id: z.string().check(z.regex(/^[A-Z0-9]{3}$/, 'must be three capital letters or digits')),
  /** Without a registration the token works for everything at once. */
  has_registration: z.boolean(),
});
export type NewOcpiPartner = z.infer<typeof NewOcpiPartner>;

export const addOcpiPartner = endpoint({
  method: 'POST',
  path: '/api/admin/integrations/ocpi',
  summary: 'Adds a partner; the answer has its token, which is never shown again',
  access: manage,
  money: noMoney.integration,
  body: NewOcpiPartner,
  reply: OcpiToken,
  refusals: ['ocpi_partner_exists'],
});

export const renewOcpiToken = endpoint({
  method: 'POST',
  path: '/api/admin/integrations/ocpi/:id/token',
  summary: 'Creates another token; the old one is refused at once, and a registered partner has to register again',
  access: manage,
  money: noMoney.integration,
  params: ById,
  reply: OcpiToken,
  refusals: ['not_found', 'action_not_applicable'],
});

export const endOcpiPartner = endpoint({
  method: 'DELETE',
  path: '/api/admin/integrations/ocpi/:id',
  summary: 'Ends the partnership; the token is refused at once',
  access: manage,
  money: noMoney.integration,
  params: ById,
  refusals: ['not_found', 'action_not_applicable'],
});
