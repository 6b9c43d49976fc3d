import * as z from 'zod/mini';

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
