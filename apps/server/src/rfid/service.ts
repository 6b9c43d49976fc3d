import type { RfidData } from '@fpay/contract/rfid';
import type { TagStatus } from '../ocpp/hooks.ts';
import type { DueWork } from '../platform/due-work.ts';
import type { Viewer } from '../platform/http/session.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import { depositOfTap, maskedTag, outcomeOfTap } from './card.ts';
import type { Card as CardRow, RfidStore } from './store.ts';

interface Dependencies {
  store: RfidStore;
  steps: Steps;
  dueWork: Pick<DueWork, 'register'>;
  /** The station's id for a viewer; refuses outsiders of closed parties; null when there is none. */
  stationOf: (viewer: Viewer, number: string) => Promise<number | null>;
  /** What the card's owner could pay with here and now; null: banned, or the station is closed to them. */
  meansOf: (step: Step, user: number, chargePoint: number) => Promise<{ balance: number } | null>;
  networkLimit: number;
}

const requestLifeMs = 2 * 60_000;

/** Binding cards, and what a tap means. A tap that binds never charges. */
export function createRfidService({ store, steps, dueWork, stationOf, meansOf, networkLimit }: Dependencies) {
  dueWork.register({
    name: 'rfid-request',
    table: 'rfid_requests',
    async act(step, id) {
      if (await store.endRequest(step, id, 'expired')) step.tell('rfid-request', id);
    },
  });

  async function tapOnRequest(step: Step, chargePoint: number, idTag: string, card: CardRow | null): Promise<boolean> {
    const request = await store.openRequestAt(step, chargePoint);
    if (!request) return false;
    const outcome = outcomeOfTap(request.user, card?.user ?? null);
    const added = outcome === 'bound' && !card ? await store.bind(step, request.user, idTag) : null;
    await store.endRequest(step, request.id, outcome === 'bound' ? 'success' : 'fail');
    step.tell('rfid-request', request.id);
    if (added !== null) step.tell('rfid-card-added', `${request.user}:${added}`);
    return true;
  }

  async function depositFor(step: Step, card: CardRow, chargePoint: number): Promise<number> {
    const means = await meansOf(step, card.user, chargePoint);
    return means ? depositOfTap({ balance: means.balance, cardLimit: card.depositLimit, networkLimit }) : 0;
  }

  return {
    async data(viewer: Viewer): Promise<RfidData> {
      const { cards, requests } = await store.ofUser(viewer.id);
      return {
        cards: cards.map((card) => ({ id: card.id, number: maskedTag(card.id_tag) })),
        requests: requests.map(({ id, number, expires_at }) => ({
          id,
          station_number: number,
          expires_at: expires_at.toISOString(),
        })),
      };
    },

    async requestBind(viewer: Viewer, stationNumber: string): Promise<{ message: string }> {
      const station = await stationOf(viewer, stationNumber);
      if (station === null) throw new Refusal('station_not_found');
      await steps.run(async (step) => {
        const id = await store.addRequest(step, viewer.id, station, requestLifeMs);
        step.tell('rfid-request', id);
      });
      return { message: 'Hold the card to the reader of the station.' };
    },

    async removeCard(viewer: Viewer, id: number): Promise<void> {
      await steps.run(async (step) => {
        if (!(await store.removeCard(step, viewer.id, id))) throw new Refusal('not_found');
        step.tell('rfid-card-deleted', `${viewer.id}:${id}`);
      });
    },

    async removeRequest(viewer: Viewer, id: number): Promise<void> {
      await steps.run(async (step) => {
        if (!(await store.removeRequest(step, viewer.id, id))) throw new Refusal('not_found');
      });
    },

    /** A tap before a charge. */
    async authorize(
      step: Step,
      { chargePointId, idTag, leastDeposit }: { chargePointId: number; idTag: string; leastDeposit: number },
    ): Promise<TagStatus> {
      const card = await store.card(step, idTag);
      if (await tapOnRequest(step, chargePointId, idTag, card)) return 'Invalid';
      if (!card) return 'Invalid';
      const deposit = await depositFor(step, card, chargePointId);
      return deposit > 0 && deposit >= leastDeposit ? 'Accepted' : 'Blocked';
    },

    /** A tap that has started a charge: whose it is and how much may be used; null when it may not. */
    async payerOf(step: Step, chargePointId: number, idTag: string): Promise<{ user: number; deposit: number } | null> {
      const card = await store.card(step, idTag);
      if (await tapOnRequest(step, chargePointId, idTag, card)) return null;
      if (!card) return null;
      const deposit = await depositFor(step, card, chargePointId);
      return deposit > 0 ? { user: card.user, deposit } : null;
    },
  };
}

export type RfidService = ReturnType<typeof createRfidService>;
