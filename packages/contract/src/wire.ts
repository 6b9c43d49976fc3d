import * as z from 'zod/mini';
import { FreeConnector } from './free-connector.ts';

/** Instants are sent as ISO 8601 with an offset, never as local time without one. */
export const Instant = z.iso.datetime({ offset: true });
/** `YYYY-MM-DD` and `HH:mm` in Europe/Kyiv, as drivers read them. */
export const KyivDate = z.iso.date();
export const KyivTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/));

/** Ids come from bigint sequences; values below 2^53 are exact in JSON. */
const largestId = Number.MAX_SAFE_INTEGER;
export const Id = z.int().check(z.gte(1), z.lte(largestId));
/** Charge points read the id of a transaction as a signed 32-bit number, so the database keeps it as one. */
export const TransactionId = z.int().check(z.gte(1), z.lte(2 ** 31 - 1));
/** An id in a path or a query arrives as text. Only digits are accepted: `+5`, ` 5` and `5e3` are not ids. */
export const IdText = z.pipe(
  z.string().check(z.regex(/^\d{1,16}$/, 'The id must be a number.')),
  z.pipe(
    z.transform((text: string) => Number(text)),
    Id,
  ),
);

/** Lists that can grow are read page by page, newest first; `before` is the last id of the previous page. */
export const pageLimit = { default: 50, most: 500 } as const;
export const PageQuery = z.object({
  before: z.optional(IdText),
  limit: z.optional(
    z.pipe(
      z.string().check(z.regex(/^\d{1,3}$/, 'The limit must be a number.')),
      z.pipe(
        z.transform((text: string) => Number(text)),
        z.int().check(z.gte(1), z.lte(pageLimit.most)),
      ),
    ),
  ),
});

/** The shape of every error on the wire. */
export const ErrorBody = z.object({
  message: z.string(),
  /** The refusal's code, by which pages select their own text. */
  code: z.optional(z.string()),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
  /** Set only with `signature_expired`, so that the client can correct its clock. */
  server_time: z.optional(z.int()),
  /** Set only with `price_changed`: the present price in kopecks per kWh. */
  price: z.optional(z.int()),
  /** Set only with `site_full`: the nearest connectors where a charge can begin now. */
  free: z.optional(z.array(FreeConnector)),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
