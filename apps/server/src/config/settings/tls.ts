import * as z from 'zod/mini';
import { type TlsFiles, tlsFilesProblem } from '../../ocpp/connections/tls-endpoint.ts';
import type { SettingTable } from '../setting.ts';
import { port, wholeNumber } from './fields.ts';

/** TLS of charge points that the server ends itself. */
export interface ChargePointTls {
  port: number;
  files: TlsFiles;
}

const tlsTable = {
  OCPP_TLS_CERT: {
    schema: z.optional(z.string()),
    shown: 'none',
    meaning:
      'PEM file with which the server ends [TLS for charge points](#tls-for-chargers) itself; a replaced file is read within a minute',
  },
  OCPP_TLS_KEY: { schema: z.optional(z.string()), shown: 'none', meaning: 'PEM file of its key' },
  OCPP_TLS_CLIENT_CA: {
    schema: z.optional(z.string()),
    shown: 'none',
    meaning: 'PEM file of the authority whose certificates charge points show; for security profile 3',
  },
  OCPP_TLS_PORT: { schema: port(8443), meaning: 'the port of it' },
} as const satisfies SettingTable;

/** Charge points. */
export const chargePointSettings = {
  OCPP_HEARTBEAT_SECONDS: {
    schema: wholeNumber(120, 10, 86_400),
    meaning: 'heartbeats that charge points are asked to send',
  },
  OCPP_PING_SECONDS: {
    schema: wholeNumber(30, 5, 600),
    meaning: 'pings of ours; a charge point is offline after three of them without any frame from it',
  },
  ...tlsTable,
} as const satisfies SettingTable;

interface TlsSettings {
  OCPP_TLS_PORT: number;
  OCPP_TLS_CERT?: string | undefined;
  OCPP_TLS_KEY?: string | undefined;
  OCPP_TLS_CLIENT_CA?: string | undefined;
}

/** Null when no file is named: the proxy in front ends TLS then. */
export function chargePointTlsOf(env: TlsSettings): ChargePointTls | null {
  if (env.OCPP_TLS_CERT === undefined || env.OCPP_TLS_KEY === undefined) return null;
  const { OCPP_TLS_CERT: certificate, OCPP_TLS_KEY: key, OCPP_TLS_CLIENT_CA: clientAuthority = null } = env;
  return { port: env.OCPP_TLS_PORT, files: { certificate, key, clientAuthority } };
}

/** Whether a device can sign in by a certificate at all. */
export const takesCertificates = (tls: ChargePointTls | null): boolean => tls?.files.clientAuthority != null;

export function tlsProblems(env: TlsSettings): string[] {
  const { OCPP_TLS_CERT, OCPP_TLS_KEY, OCPP_TLS_CLIENT_CA } = env;
  const named = [OCPP_TLS_CERT, OCPP_TLS_KEY, OCPP_TLS_CLIENT_CA].some((file) => file !== undefined);
  if (!named) return [];
  if (OCPP_TLS_CERT === undefined) return ['OCPP_TLS_CERT: is required when another OCPP_TLS file is named'];
  if (OCPP_TLS_KEY === undefined) return ['OCPP_TLS_KEY: is required when another OCPP_TLS file is named'];
  const tls = chargePointTlsOf(env);
  const problem = tls && tlsFilesProblem(tls.files);
  return problem ? [`OCPP_TLS_CERT, OCPP_TLS_KEY, OCPP_TLS_CLIENT_CA: cannot be used: ${problem}`] : [];
}
