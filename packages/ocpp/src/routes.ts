import type { MessageId } from './frame.ts';
import type { Link } from './link.ts';
import type { Message, ReadRequestOf, ResponseOf } from './message.ts';

/** A call that arrived, beside its request. */
export interface InboundCall<Context> {
  readonly link: Link<Context>;
  readonly context: Context;
  readonly action: string;
  readonly messageId: MessageId;
  /** Milliseconds since 1970 when the frame arrived, before it waited for its turn. */
  readonly receivedAt: number;
  /** What was repaired in the request, for the log. Empty as a rule. */
  readonly repairs: readonly string[];
  /** The payload as it came, for the record. */
  readonly payload: unknown;
}

/**
 * Answers one message. Ordered calls of a charge point run one after another, so the answer is awaited before the next one
 * starts: store first, then answer. Do not await `link.call` in here: a charge point that handles one thing at a time
 * waits for this answer first, and both would wait until the call times out.
 */
export type Handler<M extends Message, Context> = (
  request: ReadRequestOf<M>,
  call: InboundCall<Context>,
) => ResponseOf<M> | Promise<ResponseOf<M>>;

export interface Route<Context> {
  readonly message: Message;
  readonly isOrdered: boolean;
  readonly handle: (request: unknown, call: InboundCall<Context>) => object | Promise<object>;
}

/** Joins a message and its handler. `isOrdered` overrides what the message says. */
export function on<M extends Message, Context>(
  message: M,
  handle: NoInfer<Handler<M, Context>>,
  { isOrdered = message.isOrdered }: { isOrdered?: boolean } = {},
): Route<Context> {
  // The request is read by the message's own schema before the handler sees it.
  return { message, isOrdered, handle: handle as Route<Context>['handle'] };
}

export type Handlers<Context> = ReadonlyMap<string, Route<Context>>;

/** The table of everything one end answers; shared by all its links. */
export function handlers<Context>(...routes: Route<Context>[]): Handlers<Context> {
  const table = new Map(routes.map((route) => [route.message.action, route]));
  if (table.size !== routes.length) throw new Error('two handlers for one message');
  return table;
}
