import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';

export interface Signatures {
  /** Whether the bank signed these very bytes. */
  isGenuine(body: Buffer, signature: string | undefined): Promise<boolean>;
}

interface Options {
  /** The bank's key as its `/pubkey` gives it; null when the bank cannot be asked. */
  fetchKey: () => Promise<string | null>;
  clock: Clock;
}

/** A forged call makes the check fail, and a failed check makes us ask for the key: without a limit, a storm of them would. */
const leastPauseBetweenFetchesMs = 60_000;
/** No answer is not a fresh key, so it is asked for again sooner; but a bank in trouble is no target for a storm either. */
const pauseAfterNoAnswerMs = 5_000;

/** ECDSA on P-256 with SHA-256 over the raw body. The key is kept and asked for again only when a check fails. */
export function createSignatures({ fetchKey, clock }: Options): Signatures {
  let key: KeyObject | null = null;
  let nextFetchAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | null = null;

  /** False: asked too recently to ask again. */
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

/** Base64 of a PEM. Any other curve than the bank's would be somebody else's key. */
function keyOf(text: string): KeyObject | null {
  try {
    const key = createPublicKey(Buffer.from(text, 'base64'));
    return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null;
  } catch {
    return null;
  }
}
