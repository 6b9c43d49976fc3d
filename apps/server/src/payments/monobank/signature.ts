import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';

export interface Signatures {
  /** Whether the bank signed exactly these bytes. */
  isGenuine(body: Buffer, signature: string | undefined): Promise<boolean>;
}

interface Options {
  /** The bank's key as its `/pubkey` returns it; null when the bank does not answer. */
  fetchKey: () => Promise<string | null>;
  clock: Clock;
}

/**
 * A forged call makes the check fail, and a failed check makes us fetch the key; without a limit a flood of forgeries
 * would make a flood of fetches.
 */
const leastPauseBetweenFetchesMs = 60_000;
/**
 * Without an answer there is no fresh key, so it is fetched again sooner; but a bank in trouble must not get a flood
 * either.
 */
const pauseAfterNoAnswerMs = 5_000;

/** ECDSA on P-256 with SHA-256 over the raw body. The key is cached and fetched again only when a check fails. */
export function createSignatures({ fetchKey, clock }: Options): Signatures {
  let key: KeyObject | null = null;
  let nextFetchAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | null = null;

  /** False when the last fetch was too recent. */
  async function refresh(): Promise<boolean> {
    if (fetching) {
      await fetching;
      return true;
    }
    const now = clock.now().getTime();
    if (now < nextFetchAt) return false;
    fetching = (async () => {
      const text = await fetchKey();
      nextFetchAt = clock.now().getTime() + (text === null ? pauseAfterNoAnswerMs : leastPauseBetweenFetchesMs);
      if (text !== null) key = keyOf(text) ?? key;
    })().finally(() => {
      fetching = null;
    });
    await fetching;
    return true;
  }

  function isSigned(body: Buffer, signature: Buffer): boolean {
    if (!key) return false;
    try {
      return verify('sha256', body, key, signature);
    } catch {
      return false;
    }
  }

  return {
    async isGenuine(body, text) {
      if (!text || text.length > 512) return false;
      const signature = Buffer.from(text, 'base64');
      if (!key) await refresh();
      if (isSigned(body, signature)) return true;
      return (await refresh()) && isSigned(body, signature);
    },
  };
}

/** Base64 of a PEM. A key of another curve cannot be the bank's. */
function keyOf(text: string): KeyObject | null {
  try {
    const key = createPublicKey(Buffer.from(text, 'base64'));
    return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null;
  } catch {
    return null;
  }
}
