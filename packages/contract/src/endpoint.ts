import type * as z from 'zod/mini';
import type { RefusalCode } from './refusals.ts';
import type { Permission } from './roles.ts';
import type { CallMoney, MoneyOf } from './staff-money.ts';

type Schema = z.core.$ZodType;
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * Who may call: anyone, any signed-in user who is not banned, or a user whose role has every listed permission. A call
 * for `anyone` still gets the session when there is one.
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
  /** In Fastify's form: `/api/operation/:id`. */
  path: `/${string}`;
  summary: string;
  access: A;
  params: Params;
  query: Query;
  /** Without the signature field, which every mutating call has and the platform removes. */
  body: Body;
  /** Undefined means 204, or a body that is not JSON (see `produces`). */
  reply: Reply;
  /** Media type of an answer that is not JSON. */
  produces: string | null;
  /** A repetition of the same request returns the first answer instead of 409, so that nothing is paid twice. */
  movesMoney: boolean;
  /** The call changes nothing, so staff need not answer for it in the audit. */
  onlyReads: boolean;
  /** Whose money a mutating call of staff is about; null for all other calls. */
  money: CallMoney | null;
  /** The call works while the service is down for maintenance. */
  openInMaintenance: boolean;
  /**
   * The call works after the owner of a party has reset the password and before the user has confirmed by a code to their own
   * phone: somebody else knows the password. Calls for `anyone` work anyway.
   */
  beforeConfirmation: boolean;
  /** For a call whose body is a file; null for the usual limit. */
  mostBodyBytes: number | null;
  /** Refusals of this call. Refusals of the platform (401, 419, 422 …) apply to every call and are not listed. */
  refusals: readonly RefusalCode[];
}

/** Of each call about money: it is the caller's own, or perhaps. */
const ownMoneyRefusals = ['own_money', 'own_request'] as const satisfies RefusalCode[];

type Defaults =
  | 'params'
  | 'query'
  | 'body'
  | 'reply'
  | 'produces'
  | 'movesMoney'
  | 'onlyReads'
  | 'money'
  | 'openInMaintenance'
  | 'beforeConfirmation'
  | 'mostBodyBytes'
  | 'refusals';

export const isAboutMoney = (money: CallMoney | null): money is readonly [MoneyOf, ...MoneyOf[]] =>
  money !== null && !('none' in money);

/** A call of staff that changes something says whose money it is about; without that it does not compile. */
type MoneyOfStaff<M extends Method, Path extends string> = M extends 'GET'
  ? unknown
  : Path extends `/api/admin/${string}`
    ? { money: CallMoney }
    : unknown;

/** Declares a call once: the server registers it, the web calls it, and the API page is generated from it. */
export function endpoint<
  Params extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
  Reply extends Schema | undefined = undefined,
  const A extends Access = Access,
  const M extends Method = Method,
  const Path extends `/${string}` = `/${string}`,
>(
  declared: Omit<Endpoint<Params, Query, Body, Reply, A>, Defaults> &
    Partial<Endpoint<Params, Query, Body, Reply, A>> & { method: M; path: Path } & MoneyOfStaff<M, Path>,
): Endpoint<Params, Query, Body, Reply, A> {
  return {
    produces: null,
    movesMoney: false,
    onlyReads: declared.method === 'GET',
    money: null,
    // Staff work while the service is down; they turn it on again.
    openInMaintenance: declared.path.startsWith('/api/admin/'),
    beforeConfirmation: false,
    mostBodyBytes: null,
    ...declared,
    refusals: [...(declared.refusals ?? []), ...(isAboutMoney(declared.money ?? null) ? ownMoneyRefusals : [])],
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
/** What the server may return: the wire shape before branding. */
export type ReplyInput<E extends Endpoint> = Input<E['reply']>;

/** A part of which every field is optional may be left out. */
type Given<Name extends string, S> = S extends Schema
  ? object extends z.core.input<S>
    ? { [K in Name]?: z.core.input<S> | undefined }
    : { [K in Name]: z.core.input<S> }
  : unknown;
/** What a caller passes; it has only the parts that the call declares. */
export type CallInput<E extends Endpoint> = Given<'params', E['params']> &
  Given<'query', E['query']> &
  Given<'body', E['body']>;

export function isMutating(method: Method): boolean {
  return method !== 'GET';
}

/** Whether a call changes something as a member of staff: each such call has a record in the audit. */
export function isStaffChange({ path, onlyReads }: Pick<Endpoint, 'path' | 'onlyReads'>): boolean {
  return path.startsWith('/api/admin/') && !onlyReads;
}
