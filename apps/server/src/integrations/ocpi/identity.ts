import * as z from 'zod/mini';

/** Our party in OCPI, as agreed with partners or given by a registrar. */
export interface OcpiIdentity {
  countryCode: string;
  partyId: string;
}

export const ocpiEnvironment = {
  OCPI_COUNTRY: z._default(z.string().check(z.regex(/^[A-Z]{2}$/, 'must be two capital letters')), 'UA'),
  OCPI_PARTY: z._default(z.string().check(z.regex(/^[A-Z0-9]{3}$/, 'must be three capital letters or digits')), 'FPY'),
};

export const ocpiIdentityOf = (env: { OCPI_COUNTRY: string; OCPI_PARTY: string }): OcpiIdentity => ({
  countryCode: env.OCPI_COUNTRY,
  partyId: env.OCPI_PARTY,
});
