import * as z from 'zod/mini';
import { type TlsFiles, tlsFilesProblem } from '../ocpp/connections/tls-endpoint.ts';
import { port } from './fields.ts';

/** TLS of charge points that the server ends itself. */
export interface ChargePointTls {
  port: number;
  files: TlsFiles;
}

export const tlsEnvironment = {
  OCPP_TLS_PORT: port(8443),
  OCPP_TLS_CERT: z.optional(z.string()),
  OCPP_TLS_KEY: z.optional(z.string()),
  OCPP_TLS_CLIENT_CA: z.optional(z.string()),
};

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
