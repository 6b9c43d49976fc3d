import { loadTexts } from '../i18n/i18n.ts';
import { createCaller } from './caller.ts';
import { createCsrf } from './csrf.ts';
import { takeFirstAnswer } from './first-answers.ts';
import { createMoneyNonces } from './money-nonces.ts';

// `fetch` is read at each call, because tests and monitoring scripts replace the global one.
const fetchNow: typeof fetch = async (...request) => answerInPage(...request) ?? fetch(...request);

export const csrf = createCsrf({ fetch: fetchNow, cookies: () => document.cookie });

const textsTimeoutMs = 2000;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** All calls go to the host of the page. */
export const { call, onReconnect, onRefusal } = createCaller({
  fetch: fetchNow,
  csrf,
  nonces: createMoneyNonces(sessionStorage),
  now: Date.now,
  pause,
  isOffline: () => !navigator.onLine,
  // The wait is short: without these texts the refusal is shown in general terms.
  loadRefusalTexts: () => Promise.race([loadTexts(['refusals']).catch(() => undefined), pause(textsTimeoutMs)]),
});

function answerInPage(...[url, init]: Parameters<typeof fetch>): Response | null {
  return typeof url === 'string' && init?.method === 'GET' ? takeFirstAnswer(url) : null;
}
