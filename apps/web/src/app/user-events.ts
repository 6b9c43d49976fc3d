import { rfidEventTypes } from '@fpay/contract/rfid';
import * as z from 'zod/mini';

/** The messages of a user's group. */
export type UserEvent =
  | { kind: 'balance'; balance: number }
  | { kind: 'bindRequest'; isBound: boolean; stationNumber: string }
  | { kind: 'card'; isAdded: boolean; cardId: number };

const Message = z.object({
  type: z.string(),
  balance: z.optional(z.unknown()),
  eventType: z.optional(z.unknown()),
  stationNumber: z.optional(z.unknown()),
  cardId: z.optional(z.unknown()),
});
type Message = z.infer<typeof Message>;

/** By the type of the message; other types are ignored. */
const readers = new Map<string, (message: Message) => UserEvent | null>([
  ['wallet_balance_update', balanceOf],
  ['rfid_card_update', rfidOf],
]);

/** Null for an invalid message of a known type, undefined for another type. */
export function readUserEvent(data: unknown): UserEvent | null | undefined {
  const message = Message.safeParse(data);
  if (!message.success) return null;
  return readers.get(message.data.type)?.(message.data);
}

/** A missing balance and zero are not trusted, because both may be an error. */
function balanceOf({ balance }: Message): UserEvent | null {
  const kopecks = typeof balance === 'string' || typeof balance === 'number' ? Number(balance) : 0;
  return Number.isInteger(kopecks) && kopecks > 0 ? { kind: 'balance', balance: kopecks } : null;
}

function rfidOf({ eventType, stationNumber, cardId }: Message): UserEvent | null {
  const known = rfidEventTypes.find((type) => type === eventType);
  switch (known) {
    case 'requestSuccessful':
    case 'requestFailed':
    case 'requestExpired':
      if (typeof stationNumber !== 'string' || stationNumber === '') return null;
      return { kind: 'bindRequest', isBound: known === 'requestSuccessful', stationNumber };
    case 'cardAdded':
    case 'cardDeleted': {
      const id = Number(cardId);
      return id > 0 ? { kind: 'card', isAdded: known === 'cardAdded', cardId: id } : null;
    }
    default:
      return null;
  }
}
