import type { CallInput, Endpoint, ReplyOf } from '@fpay/contract/endpoint';
import * as z from 'zod/mini';
import { addressOf } from './address.ts';

/** By the address of the call: what the server wrote into the page because it knew that the page would ask. */
export const FirstAnswers = z.record(z.string(), z.object({ status: z.int(), body: z.unknown() }));
type FirstAnswers = z.infer<typeof FirstAnswers>;

/** The first page is long drawn by then: whoever asks wants to know how things are now. */
const keptMs = 15_000;

let kept: FirstAnswers = {};

export function keepFirstAnswers(answers: FirstAnswers): void {
  kept = answers;
  setTimeout(() => {
    kept = {};
  }, keptMs);
}

/** Each is given once, as if it had come over the network; who asks again asks the server. */
export function takeFirstAnswer(url: string): Response | null {
  const answer = kept[url];
  if (!answer) return null;
  delete kept[url];
  return Response.json(answer.body, { status: answer.status });
}

/**
 * The same for a page that can be drawn with it at once, instead of drawing that it waits and then drawing anew. Undefined
 * when there is none, or nothing but a refusal: that is for those who ask.
 */
export function firstReply<E extends Endpoint>(endpoint: E, input: CallInput<E>): ReplyOf<E> | undefined {
  const { url } = addressOf(endpoint, input as object);
  const answer = kept[url];
  const reply = answer?.status === 200 && endpoint.reply ? z.safeParse(endpoint.reply, answer.body) : null;
  if (!reply?.success) return undefined;
  delete kept[url];
  return reply.data as ReplyOf<E>;
}
