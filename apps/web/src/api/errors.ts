import { ErrorBody } from '@fpay/contract/wire';

interface Answer {
  status: number;
  message: string;
  code: string | null;
  errors: Record<string, string[]>;
  retryAfter: number | null;
  serverTime: number | null;
  price?: number | null;
}

/** The server answered "no". Its words are English and for the log; `error-text.ts` has those for the driver. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string | null;
  /** What is wrong with each field, by dot path, when the input was at fault. */
  readonly errors: Record<string, string[]>;
  /** Seconds. */
  readonly retryAfter: number | null;
  /** The server's clock in Unix milliseconds; told only when ours is off. */
  readonly serverTime: number | null;
  /** Kopecks per kWh; only when the price is another one by now. */
  readonly price: number | null;

  constructor({ status, message, code, errors, retryAfter, serverTime, price = null }: Answer) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.retryAfter = retryAfter;
    this.serverTime = serverTime;
    this.price = price;
  }
}

/** No answer came, so nobody knows whether the request arrived. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** A proxy in between may answer with a page instead of our JSON: the status alone then has to do. */
export async function apiErrorOf(response: Response): Promise<ApiError> {
  const body = ErrorBody.safeParse(await response.json().catch(() => null));
  const { message, code, errors, server_time, price } = body.success ? body.data : { message: response.statusText };
  return new ApiError({
    status: response.status,
    message,
    code: code ?? null,
    errors: errors ?? {},
    retryAfter: secondsOf(response.headers.get('Retry-After')),
    serverTime: server_time ?? null,
    price: price ?? null,
  });
}

function secondsOf(header: string | null): number | null {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}
