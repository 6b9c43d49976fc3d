import { loadTexts } from '../i18n/i18n.ts';
import { createCaller } from './caller.ts';
import { createCsrf } from './csrf.ts';
import { takeFirstAnswer } from './first-answers.ts';
import { createMoneyNonces } from './money-nonces.ts';

// `fetch` is looked up at each call, not once: the page's own is replaced by tests and by monitoring scripts.
const fetchNow: typeof fetch = async (...request) => answerInPage(...request) ?? fetch(...request);

export const csrf = createCsrf({ fetch: fetchNow, cookies: () => document.cookie });

const wordsPatienceMs = 2000;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** All calls go to the host the page came from. */
export const { call, onRefusal } = createCaller({
  fetch: fetchNow,
  csrf,
  nonces: createMoneyNonces(sessionStorage),
  now: Date.now,
  pause,
  isOffline: () => !navigator.onLine,
  // They are not worth a long wait: without them the refusal is told in general terms.
  fetchWords: () => Promise.race([loadTexts(['refusals']).catch(() => undefined), pause(wordsPatienceMs)]),
});

function answerInPage(...[url, init]: Parameters<typeof fetch>): Response | null {
  return typeof url === 'string' && init?.method === 'GET' ? takeFirstAnswer(url) : null;
}
