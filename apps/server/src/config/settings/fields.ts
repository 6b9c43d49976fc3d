import * as z from 'zod/mini';
import { databaseHosts } from '../../platform/primary.ts';

/** How single settings are written in the environment; each says in its message what is wrong. */
export const port = (fallback: number) =>
  z._default(
    z.pipe(
      z.string().check(z.regex(/^\d+$/, 'must be a port number')),
      z.pipe(z.transform(Number), z.int().check(z.lte(65535, 'must be a port number'))),
    ),
    fallback,
  );
export const url = (...protocols: string[]) =>
  z.string().check(
    z.refine(
      (text) => {
        const parsed = URL.canParse(text) ? new URL(text) : null;
        return parsed !== null && protocols.includes(parsed.protocol);
      },
      `must be an address starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    ),
  );
export const databaseUrl = z.optional(
  z
    .string()
    .check(
      z.refine(
        (text) => databaseHosts(text) !== null,
        'must be an address starting with postgres:// or postgresql://, with one host or several between commas',
      ),
    ),
);
export const commaList = (fallback: string[]) =>
  z._default(
    z.pipe(
      z.string(),
      z.transform((text: string) =>
        text
          .split(',')
          .map((item) => item.trim())
          .filter(Boolean),
      ),
    ),
    fallback,
  );
export const wholeNumber = (fallback: number, least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return z._default(
    z.pipe(
      z.string().check(z.regex(/^\d+$/, message)),
      z.pipe(z.transform(Number), z.int().check(z.gte(least, message), z.lte(most, message))),
    ),
    fallback,
  );
};
/** A secret that another service made. */
export const token = z.optional(z.string().check(z.minLength(1)));
export const textWith = (fallback: string) => z._default(z.string(), fallback);
