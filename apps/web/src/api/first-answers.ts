import type { CallInput, Endpoint, ReplyOf } from '@fpay/contract/endpoint';
import * as z from 'zod/mini';
import { addressOf } from './address.ts';

/** Answers that the server embedded in the page because the page will request them, by address of the call. */
export const FirstAnswers = z.record(z.string(), z.object({ status: z.int(), body: z.unknown() }));
type FirstAnswers = z.infer<typeof FirstAnswers>;

/** By then the first page is shown, and a caller needs the present state. */
const lifetimeMs = 15_000;

let stored: FirstAnswers = {};

export function storeFirstAnswers(answers: FirstAnswers): void {
  stored = answers;
  setTimeout(() => {
    stored = {};
  }, lifetimeMs);
}

/** Each answer is returned once, as if it came over the network; a second call goes to the server. */
export function takeFirstAnswer(url: string): Response | null {
  const answer = stored[url];
  if (!answer) return null;
  delete stored[url];
  return Response.json(answer.body, { status: answer.status });
}

/**
 * The same for a page that can be rendered with it at once, instead of rendering a skeleton first. Undefined when there
 * is no answer, or a refusal, which only the call handles.
 */
export function firstReply<E extends Endpoint>(endpoint: E, input: CallInput<E>): ReplyOf<E> | undefined {
  const { url } = addressOf(endpoint, input as object);
  const answer = stored[url];
  const reply = answer?.status === 200 && endpoint.reply ? z.safeParse(endpoint.reply, answer.body) : null;
  if (!reply?.success) return undefined;
  delete stored[url];
  return reply.data as ReplyOf<E>;
}
