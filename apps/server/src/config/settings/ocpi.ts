import * as z from 'zod/mini';
import type { OcpiIdentity } from '../../integrations/ocpi/identity.ts';
import type { SettingTable } from '../setting.ts';

/** Our party for OCPI partners. */
export const ocpiSettings = {
  OCPI_COUNTRY: {
    schema: z._default(z.string().check(z.regex(/^[A-Z]{2}$/, 'must be two capital letters')), 'UA'),
    meaning: 'the country of our party for [OCPI partners](integrations.md)',
  },
  OCPI_PARTY: {
    schema: z._default(z.string().check(z.regex(/^[A-Z0-9]{3}$/, 'must be three capital letters or digits')), 'FPY'),
    meaning: 'its identifier',
  },
} as const satisfies SettingTable;

export const ocpiIdentityOf = (env: { OCPI_COUNTRY: string; OCPI_PARTY: string }): OcpiIdentity => ({
  countryCode: env.OCPI_COUNTRY,
  partyId: env.OCPI_PARTY,
});
