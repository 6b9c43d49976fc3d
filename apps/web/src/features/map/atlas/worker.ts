import { createAnswers } from './answers.ts';
import type { Answer, Question } from './messages.ts';

const answers = createAnswers();

addEventListener('message', ({ data }: MessageEvent<Question>) => postMessage(answerTo(data)));

function answerTo({ id, name, ask }: Question): Answer {
  try {
    return { id, answer: answers[name](ask as never) };
  } catch (error) {
    return { id, failure: String(error) };
  }
}
