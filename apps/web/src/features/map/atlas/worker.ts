import { createAnswers } from './answers.ts';
import type { AtlasAnswer, AtlasRequest } from './messages.ts';

const answers = createAnswers();

addEventListener('message', ({ data }: MessageEvent<AtlasRequest>) => postMessage(answerTo(data)));

function answerTo({ id, name, input }: AtlasRequest): AtlasAnswer {
  try {
    return { id, answer: answers[name](input as never) };
  } catch (error) {
    return { id, failure: String(error) };
  }
}
