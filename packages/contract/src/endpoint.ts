import type * as z from 'zod/mini';
import type { RefusalCode } from './refusals.ts';
import type { Permission } from './roles.ts';

type Schema = z.core.$ZodType;
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * Who may call: anyone, anyone signed in (not banned), or a user whose role has every permission listed.
 * `anyone` still has a session when there is one.
 */
export type Access = 'anyone' | 'signed-in' | readonly [Permission, ...Permission[]];

export interface Endpoint<
  Params extends Schema | undefined = Schema | undefined,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Reply extends Schema | undefined = Schema | undefined,
  A extends Access = Access,
> {
  method: Method;
  /** Fastify's form: `/api/operation/:id`. */
  path: `/${string}`;
  summary: string;
  access: A;
  params: Params;
  query: Query;
  /** Without the signature field, which every mutating call carries and the platform takes off. */
  body: Body;
  /** Undefined: 204, or a body that is not JSON (see `produces`). */
  reply: Reply;
  /** Media type of an answer that is not JSON. */
  produces: string | null;
  /** A repeat of the same request returns the first answer instead of 409: nothing is paid twice. */
  movesMoney: boolean;
  /** Works while the service is down for maintenance. */
  openInMaintenance: boolean;
  /** The refusals of this call's own; those of the platform (401, 419, 422 …) go without saying. */
  refusals: readonly RefusalCode[];
}

type Defaults = 'params' | 'query' | 'body' | 'reply' | 'produces' | 'movesMoney' | 'openInMaintenance' | 'refusals';

/** Declares a call once. The server registers it, the web calls it, the API page is drawn from it. */
export function endpoint<
  Params extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
  Reply extends Schema | undefined = undefined,
  const A extends Access = Access,
>(
  declared: Omit<Endpoint<Params, Query, Body, Reply, A>, Defaults> & Partial<Endpoint<Params, Query, Body, Reply, A>>,
): Endpoint<Params, Query, Body, Reply, A> {
  return {
    produces: null,
    movesMoney: false,
    openInMaintenance: false,
    refusals: [],
    ...declared,
    params: declared.params as Params,
    query: declared.query as Query,
    body: declared.body as Body,
    reply: declared.reply as Reply,
  };
}

type Output<S> = S extends Schema ? z.core.output<S> : undefined;
type Input<S> = S extends Schema ? z.core.input<S> : undefined;

export type ParamsOf<E extends Endpoint> = Output<E['params']>;
export type QueryOf<E extends Endpoint> = Output<E['query']>;
export type BodyOf<E extends Endpoint> = Output<E['body']>;
export type ReplyOf<E extends Endpoint> = Output<E['reply']>;
/** What the server may hand back: the wire shape before branding. */
export type ReplyInput<E extends Endpoint> = Input<E['reply']>;

type Given<Name extends string, S> = S extends Schema ? { [K in Name]: z.core.input<S> } : unknown;
/** What a caller passes: only the parts the call has. */
export type CallInput<E extends Endpoint> = Given<'params', E['params']> &
  Given<'query', E['query']> &
  Given<'body', E['body']>;

export function isMutating(method: Method): boolean {
  return method !== 'GET';
}
