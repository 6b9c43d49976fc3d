import { userGroup } from '@fpay/contract/realtime';
import type { RfidEventType } from '@fpay/contract/rfid';
import type { Outbox } from '../platform/outbox.ts';
import type { RfidStore } from './store.ts';

const requestEvents: Record<string, RfidEventType> = {
  success: 'requestSuccessful',
  fail: 'requestFailed',
  expired: 'requestExpired',
};

type Publish = (group: string, message: { type: string } & Record<string, unknown>) => void;

/** Tells a driver's page what became of a request or a card. */
export function rfidEvents(outbox: Outbox, store: RfidStore, publish: Publish): void {
  const tell = (user: number, eventType: RfidEventType, about: object) =>
    publish(userGroup(user), { type: 'rfid_card_update', eventType, ...about });
  const ofCard = (ref: string, eventType: RfidEventType) => {
    const [user = '', card = ''] = ref.split(':');
    tell(Number(user), eventType, { cardId: Number(card) });
  };
  outbox.subscribe(({ topic, ref }) => {
    if (topic === 'rfid-card-added') ofCard(ref, 'cardAdded');
    if (topic === 'rfid-card-deleted') ofCard(ref, 'cardDeleted');
    if (topic !== 'rfid-request') return;
    // A page that misses this finds the outcome at its next look.
    store.requestOf(Number(ref)).then(
      (request) => {
        const eventType = request && requestEvents[request.status];
        if (eventType) tell(request.user_id, eventType, { stationNumber: request.number });
      },
      () => {},
    );
  });
}
