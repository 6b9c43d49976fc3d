/** Our party in OCPI, as agreed with partners or given by a registrar. */
export interface OcpiIdentity {
  countryCode: string;
  partyId: string;
}
