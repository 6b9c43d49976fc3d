import { userGroup } from '@fpay/contract/realtime';
import type { RfidEventType } from '@fpay/contract/rfid';
import type { Outbox } from '../platform/outbox.ts';
import type { RfidStore } from './store.ts';

const requestEvents: Record<string, RfidEventType> = {
  success: 'requestSuccessful',
  fail: 'requestFailed',
  expired: 'requestExpired',
};

export type PublishCardEvent = (group: string, message: { type: string } & Record<string, unknown>) => void;

/** Notifies a driver's page of the outcome of a request or of a change of a card. */
export function rfidEvents(outbox: Outbox, store: RfidStore, publish: PublishCardEvent): void {
  const tell = (user: number, eventType: RfidEventType, about: object) =>
    publish(userGroup(user), { type: 'rfid_card_update', eventType, ...about });
  const ofCard = (ref: string, eventType: RfidEventType) => {
    const [user = '', card = ''] = ref.split(':');
    tell(Number(user), eventType, { cardId: Number(card) });
  };
  outbox.subscribe('rfid-card-added', (ref) => ofCard(ref, 'cardAdded'));
  outbox.subscribe('rfid-card-deleted', (ref) => ofCard(ref, 'cardDeleted'));
  outbox.subscribe('rfid-request', (ref) => {
    // A page that misses this sees the outcome when it next reads the request.
    store.requestOf(Number(ref)).then(
      (request) => {
        const eventType = request && requestEvents[request.status];
        if (eventType) tell(request.user_id, eventType, { stationNumber: request.number });
      },
      () => {},
    );
  });
}
