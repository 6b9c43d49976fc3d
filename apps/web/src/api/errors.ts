import type { FreeConnector } from '@fpay/contract/free-connector';
import { ErrorBody } from '@fpay/contract/wire';

interface Answer {
  status: number;
  message: string;
  code: string | null;
  errors: Record<string, string[]>;
  retryAfter: number | null;
  serverTime: number | null;
  price?: number | null;
  free?: readonly FreeConnector[];
}

/** The server refused. Its message is English and for the log; `error-text.ts` has the texts for drivers. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string | null;
  /** The errors of each field by dot path, when the input was invalid. */
  readonly errors: Record<string, string[]>;
  /** In seconds. */
  readonly retryAfter: number | null;
  /** The server's clock in Unix milliseconds; set only when our clock is wrong. */
  readonly serverTime: number | null;
  /** Kopecks per kWh; set only when the price has changed. */
  readonly price: number | null;
  /** Where a charge can begin instead; set only when the site is full. */
  readonly free: readonly FreeConnector[];

  constructor({ status, message, code, errors, retryAfter, serverTime, price = null, free = [] }: Answer) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.retryAfter = retryAfter;
    this.serverTime = serverTime;
    this.price = price;
    this.free = free;
  }
}

/** No answer came, so it is unknown whether the request arrived. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  /** Set when a request that moves money has left the page: the server may have done what it asks. */
  mayHaveArrived = false;
}

/** A proxy may answer with a page instead of our JSON; then only the status is known. */
export async function apiErrorOf(response: Response): Promise<ApiError> {
  const body = ErrorBody.safeParse(await response.json().catch(() => null));
  const { message, code, errors, server_time, price, free } = body.success
    ? body.data
    : { message: response.statusText };
  return new ApiError({
    status: response.status,
    message,
    code: code ?? null,
    errors: errors ?? {},
    retryAfter: secondsOf(response.headers.get('Retry-After')),
    serverTime: server_time ?? null,
    price: price ?? null,
    free: free ?? [],
  });
}

function secondsOf(header: string | null): number | null {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}
