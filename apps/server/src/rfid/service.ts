import type { RfidData } from '@fpay/contract/rfid';
import type { TagStatus } from '../ocpp/device/charging-port.ts';
import type { Viewer } from '../platform/http/session.ts';
import type { DueWork } from '../platform/jobs/due-work.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import { depositOfTap, maskedTag, outcomeOfTap } from './card.ts';
import type { RfidCard as CardRow, RfidStore } from './store.ts';

/** Binding cards, and what a tap means. A tap that binds a card never charges. */
export interface RfidService {
  data(viewer: Viewer): Promise<RfidData>;
  /** @refuses station_not_found, closed_station, bind_request_open */
  requestBind(viewer: Viewer, stationNumber: string): Promise<{ message: string }>;
  /** @refuses not_found */
  removeCard(viewer: Viewer, id: number): Promise<void>;
  /** @refuses not_found */
  removeRequest(viewer: Viewer, id: number): Promise<void>;
  /** A tap before a charge. */
  authorize(step: Step, tap: { chargePointId: number; idTag: string; leastDeposit: number }): Promise<TagStatus>;
  /** For a tap that has started a charge: its payer and deposit; null when it may not charge. */
  payerOf(step: Step, chargePointId: number, idTag: string): Promise<{ user: number; deposit: number } | null>;
}

interface Dependencies {
  store: RfidStore;
  steps: Steps;
  dueWork: Pick<DueWork, 'register'>;
  /** The station's id for a viewer; refuses outsiders of closed parties; null when it does not exist. */
  stationOf: (viewer: Viewer, number: string) => Promise<number | null>;
  /** What the card's owner can pay with here and now; null when banned, or when the station is closed to them. */
  spendableBalanceOf: (step: Step, user: number, chargePoint: number) => Promise<{ balance: number } | null>;
  networkLimit: number;
}

const requestLifeMs = 2 * 60_000;

/** Binds cards and decides what a tap means. A tap that binds never charges. */
export function createRfidService({
  store,
  steps,
  dueWork,
  stationOf,
  spendableBalanceOf,
  networkLimit,
}: Dependencies): RfidService {
  dueWork.register({
    name: 'rfid-request',
    table: 'rfid_requests',
    async act(step, id) {
      if (await store.endRequest(step, id, 'expired')) step.publish('rfid-request', id);
    },
  });

  async function tapOnRequest(step: Step, chargePoint: number, idTag: string, card: CardRow | null): Promise<boolean> {
    const request = await store.openRequestAt(step, chargePoint);
    if (!request) return false;
    const outcome = outcomeOfTap(request.user, card?.user ?? null, card?.isBlocked ?? false);
    const added =
      outcome === 'bound' && (card?.user ?? null) === null ? await store.bind(step, request.user, idTag) : null;
    await store.endRequest(step, request.id, outcome === 'bound' ? 'success' : 'fail');
    step.publish('rfid-request', request.id);
    if (added !== null) step.publish('rfid-card-added', `${request.user}:${added}`);
    return true;
  }

  async function depositFor(step: Step, card: CardRow, user: number, chargePoint: number): Promise<number> {
    const means = card.isBlocked ? null : await spendableBalanceOf(step, user, chargePoint);
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
        step.publish('rfid-request', id);
      });
      return { message: 'Hold the card to the reader of the station.' };
    },

    async removeCard(viewer: Viewer, id: number): Promise<void> {
      await steps.run(async (step) => {
        if (!(await store.removeCard(step, viewer.id, id))) throw new Refusal('not_found');
        step.publish('rfid-card-deleted', `${viewer.id}:${id}`);
      });
    },

    async removeRequest(viewer: Viewer, id: number): Promise<void> {
      await steps.run(async (step) => {
        if (!(await store.removeRequest(step, viewer.id, id))) throw new Refusal('not_found');
      });
    },

    async authorize(
      step: Step,
      { chargePointId, idTag, leastDeposit }: { chargePointId: number; idTag: string; leastDeposit: number },
    ): Promise<TagStatus> {
      const card = await store.card(step, idTag);
      if (await tapOnRequest(step, chargePointId, idTag, card)) return 'Invalid';
      if (!card || card.user === null) return 'Invalid';
      const deposit = await depositFor(step, card, card.user, chargePointId);
      return deposit > 0 && deposit >= leastDeposit ? 'Accepted' : 'Blocked';
    },

    async payerOf(step: Step, chargePointId: number, idTag: string): Promise<{ user: number; deposit: number } | null> {
      const card = await store.card(step, idTag);
      if (await tapOnRequest(step, chargePointId, idTag, card)) return null;
      if (!card || card.user === null) return null;
      const deposit = await depositFor(step, card, card.user, chargePointId);
      return deposit > 0 ? { user: card.user, deposit } : null;
    },
  };
}
