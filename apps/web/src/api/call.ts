import { createCaller } from './caller.ts';
import { createCsrf } from './csrf.ts';
import { createMoneyNonces } from './money-nonces.ts';

// `fetch` is looked up at each call, not once: the page's own is replaced by tests and by monitoring scripts.
const fetchNow: typeof fetch = (...request) => fetch(...request);

export const csrf = createCsrf({ fetch: fetchNow, cookies: () => document.cookie });

/** All calls go to the host the page came from. */
export const { call, onRefusal } = createCaller({
  fetch: fetchNow,
  csrf,
  nonces: createMoneyNonces(sessionStorage),
  now: Date.now,
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});
