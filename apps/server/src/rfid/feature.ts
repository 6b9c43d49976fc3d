import type { Side } from '../party/membership.ts';
import { createPartyStore } from '../party/store.ts';
import type { Audit } from '../platform/audit.ts';
import type { Routes } from '../platform/http/routes.ts';
import type { Viewer } from '../platform/http/session.ts';
import type { Platform } from '../platform/platform.ts';
import type { Step } from '../platform/step.ts';
import type { UserTables } from '../platform/user-tables.ts';
import { type PublishCardEvent, rfidEvents } from './events.ts';
import { rfidRoutes } from './routes.ts';
import { createRfidService, type RfidService } from './service.ts';
import { createSpendableBalance } from './spendable-balance.ts';
import { type CardStaff, createCardStaff } from './staff.ts';
import { createRfidStore } from './store.ts';
import { rfidUserTables } from './user-tables.ts';

export interface RfidDependencies extends Pick<Platform, 'db' | 'steps' | 'outbox' | 'dueWork' | 'clock'> {
  audit: Audit;
  /** A registered user by a phone or an id, as staff type it. */
  userOf: (text: string) => Promise<number | null>;
  /** The station's id for a viewer; refuses outsiders of closed parties; null when it does not exist. */
  stationOf: (viewer: Viewer, number: string) => Promise<number | null>;
  /** Whose the stations of this device are, if they belong to closed parties. */
  closedPartiesAt: (step: Step, chargePoint: number) => Promise<Side[]>;
  /** The highest deposit of a tap, in kopecks. */
  tapDeposit: number;
  /** Sends a message to the pages of a group of users. */
  publish: PublishCardEvent;
}

export interface Rfid {
  service: RfidService;
  staff: CardStaff;
  /** What becomes of this feature's rows when an account is merged or deleted. */
  userTables: UserTables;
  routes(routes: Routes): void;
}

/** RFID cards, wired: binding them, and the meaning of a tap. */
export function createRfid({ db, steps, outbox, dueWork, clock, publish, ...given }: RfidDependencies): Rfid {
  const store = createRfidStore(db, clock);
  const service = createRfidService({
    store,
    steps,
    dueWork,
    stationOf: given.stationOf,
    spendableBalanceOf: createSpendableBalance({
      parties: createPartyStore(db),
      closedPartiesAt: given.closedPartiesAt,
    }),
    networkLimit: given.tapDeposit,
  });
  rfidEvents(outbox, store, publish);

  return {
    service,
    staff: createCardStaff({ steps, clock, audit: given.audit, userOf: given.userOf }),
    userTables: rfidUserTables,
    routes: (routes: Routes): void => rfidRoutes(routes, service),
  };
}
