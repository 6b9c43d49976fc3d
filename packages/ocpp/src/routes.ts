import type { MessageId } from './frame.ts';
import type { Message, ReadRequestOf, ResponseOf } from './message.ts';

/** The circumstances of a received call, passed beside its request. */
export interface InboundCall<Context> {
  readonly context: Context;
  readonly action: string;
  readonly messageId: MessageId;
  /** Milliseconds since 1970 when the frame arrived, before it was queued. */
  readonly receivedAt: number;
  /** Repairs of the request, for the log. Usually empty. */
  readonly repairs: readonly string[];
  /** The payload as received, for the message log. */
  readonly payload: unknown;
}

/**
 * Answers one message. Ordered calls of a charge point run one after another, and the answer is awaited before the next
 * one starts, so store first and then answer. Do not await a call of ours in a handler: a charge point that handles one
 * thing at a time waits for this answer first, and both would wait until the call times out.
 */
export type MessageHandler<M extends Message, Context> = (
  request: ReadRequestOf<M>,
  call: InboundCall<Context>,
) => ResponseOf<M> | Promise<ResponseOf<M>>;

export interface Route<Context> {
  readonly message: Message;
  readonly isOrdered: boolean;
  /** Calls of this kind that follow each other are handled together; the handler keeps their order. */
  readonly isJoined: boolean;
  readonly handle: (request: unknown, call: InboundCall<Context>) => object | Promise<object>;
}

/** Connects a message to its handler. `isOrdered` overrides the value of the message. */
export function on<M extends Message, Context>(
  message: M,
  handle: NoInfer<MessageHandler<M, Context>>,
  { isOrdered = message.isOrdered, isJoined = false }: { isOrdered?: boolean; isJoined?: boolean } = {},
): Route<Context> {
  // The request is read with the message's schema before the handler gets it.
  return { message, isOrdered, isJoined, handle: handle as Route<Context>['handle'] };
}

export type Handlers<Context> = ReadonlyMap<string, Route<Context>>;

/** The table of all messages that one end answers; all its links share it. */
export function handlers<Context>(...routes: Route<Context>[]): Handlers<Context> {
  const table = new Map(routes.map((route) => [route.message.action, route]));
  if (table.size !== routes.length) throw new Error('a message has two handlers');
  return table;
}
