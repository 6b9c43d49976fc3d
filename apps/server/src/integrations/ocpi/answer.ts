import type { FastifyReply, FastifyRequest } from 'fastify';

/** The codes of OCPI 2.2.1 that we use. */
export const ocpiCodes = {
  success: 1000,
  clientError: 2000,
  invalidParameters: 2001,
  unknownLocation: 2003,
  serverError: 3000,
  unusableApi: 3001,
  unsupportedVersion: 3002,
  noMatchingEndpoints: 3003,
} as const;
export type OcpiCode = (typeof ocpiCodes)[keyof typeof ocpiCodes];

/** A request that is answered with an error of OCPI. */
export class OcpiError extends Error {
  readonly httpStatus: number;
  readonly code: OcpiCode;
  constructor(httpStatus: number, code: OcpiCode, message: string) {
    super(message);
    this.httpStatus = httpStatus;
    this.code = code;
  }
}

export const invalidParameter = (message: string): OcpiError =>
  new OcpiError(200, ocpiCodes.invalidParameters, message);

/** `data` is left out where it is undefined; nothing in an answer is null, because many parsers fail on it. */
export function ocpiBody(data: unknown, now: Date): object {
  return { ...(data !== undefined && { data }), status_code: ocpiCodes.success, timestamp: ocpiTime(now) };
}

export const ocpiTime = (at: Date): string => at.toISOString().replace(/\.000Z$/, 'Z');

/** Ids of the request are repeated, and in functional modules the two parties change places. */
export function echoHeaders({ headers }: FastifyRequest, reply: FastifyReply): void {
  const copy = (from: string, to = from) => {
    const value = headers[from];
    if (typeof value === 'string' && /^[\x20-\x7e]{1,100}$/.test(value)) reply.header(to, value);
  };
  copy('x-request-id');
  copy('x-correlation-id');
  for (const part of ['country-code', 'party-id']) {
    copy(`ocpi-from-${part}`, `ocpi-to-${part}`);
    copy(`ocpi-to-${part}`, `ocpi-from-${part}`);
  }
}
