import type { Part, PartContext } from '../part.ts';
import { createSwitches } from '../switches.ts';
import { bankApi } from './api.ts';
import { createCallLog } from './call-log.ts';
import { bankRoutes } from './routes.ts';
import { createBank } from './service.ts';
import { createSigningKey } from './signature.ts';
import { createInvoiceStore } from './store.ts';
import { bankDefaults } from './switches.ts';
import { createWebhooks } from './webhooks.ts';

/** How often due changes are applied so that webhooks are sent. An answer about an invoice is always up to date. */
const tickMs = 250;

export function createBankPart({ db, clock, log, heldConnections, origin }: PartContext): Part {
  const switches = createSwitches(db, 'bank', bankDefaults);
  const key = createSigningKey(db, clock);
  const callLog = createCallLog(db, clock);
  const invoices = createInvoiceStore(db);
  const webhooks = createWebhooks({ db, clock, key, switches, callLog, log });
  const bank = createBank({ db, clock, invoices, switches, webhooks });

  let stopTicking = () => {};
  const tick = () => {
    try {
      bank.tick();
    } catch (error) {
      log.error(error, 'bank tick failed');
    }
    stopTicking = clock.after(tickMs, tick);
  };
  stopTicking = clock.after(0, tick);

  return {
    routes(app) {
      const parts = { bank, invoices, key, switches, callLog, heldConnections, clock, origin };
      app.register(async (api) => bankApi(api, parts), { prefix: '/api/merchant' });
      bankRoutes(app, { ...parts, webhooks });
    },
    async stop() {
      stopTicking();
      await webhooks.stop();
    },
  };
}
