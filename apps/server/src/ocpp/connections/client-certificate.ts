import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

/** What a client certificate says, and why it cannot be believed; `fault` is null for a valid one. */
export interface ClientCertificate {
  commonName: string | null;
  fault: 'expired_certificate' | 'foreign_certificate' | null;
}

/** Null when the device presented none: over plain HTTP, behind a proxy that ends TLS, or because it has none. */
export function clientCertificateOf(socket: Duplex): ClientCertificate | null {
  if (!(socket instanceof TLSSocket)) return null;
  const { subject } = socket.getPeerCertificate();
  if (subject === undefined) return null;
  // A subject with several names is an array here; none of them is then the one name of the device.
  const name: unknown = subject.CN;
  return { commonName: typeof name === 'string' ? name : null, fault: faultOf(socket) };
}

function faultOf({ authorized, authorizationError }: TLSSocket): ClientCertificate['fault'] {
  if (authorized) return null;
  const isOutOfTime = /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(String(authorizationError));
  return isOutOfTime ? 'expired_certificate' : 'foreign_certificate';
}

/** Why this certificate does not admit the device; null when it does. */
export function certificateRefusal(
  certificate: ClientCertificate | null,
  identity: string,
): 'no_certificate' | 'other_certificate' | Exclude<ClientCertificate['fault'], null> | null {
  if (certificate === null) return 'no_certificate';
  if (certificate.fault !== null) return certificate.fault;
  return certificate.commonName === identity ? null : 'other_certificate';
}
