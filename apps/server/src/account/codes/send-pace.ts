import { setTimeout as pause } from 'node:timers/promises';

const mostSamples = 20;
/** The usual time of an SMS gateway, used until the first SMS was sent. */
const usualMs = 150;

/**
 * Makes a request that sends nothing take as long as one that sends an SMS. Otherwise the time of the answer would
 * disclose which phone numbers have an account.
 */
export function createSendPace(random: () => number = Math.random) {
  const samples: number[] = [];
  return {
    async measure<T>(send: () => Promise<T>): Promise<T> {
      const began = performance.now();
      try {
        return await send();
      } finally {
        samples.push(performance.now() - began);
        if (samples.length > mostSamples) samples.shift();
      }
    },

    /** Waits as long as one of the last messages took. */
    async imitate(): Promise<void> {
      await pause(samples[Math.floor(random() * samples.length)] ?? usualMs);
    },
  };
}
