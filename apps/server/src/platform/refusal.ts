import { type RefusalCode, refusals } from '@fpay/contract/refusals';

/** A "no" that the product expects to say. Everything else that is thrown is a bug. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly fields: Record<string, string[]> | undefined;
  readonly extra: Record<string, unknown>;
  /** Seconds; becomes the Retry-After header. */
  readonly retryAfter: number | undefined;

  constructor(
    code: RefusalCode,
    more: {
      fields?: Record<string, string[]>;
      extra?: Record<string, unknown>;
      retryAfter?: number;
      /** Replaces the code's usual text where that would not say what to do. */
      message?: string;
    } = {},
  ) {
    super(more.message ?? refusals[code].message);
    this.name = 'Refusal';
    this.code = code;
    this.fields = more.fields;
    this.extra = more.extra ?? {};
    this.retryAfter = more.retryAfter;
  }
}
