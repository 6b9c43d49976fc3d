import type { Part, PartContext } from '../part.ts';
import { createSwitches } from '../switches.ts';
import { botApi } from './api.ts';
import { createMethods } from './methods.ts';
import { createPeople } from './people.ts';
import { peopleRoutes } from './routes.ts';
import { createTelegramStore } from './store.ts';
import { telegramDefaults } from './switches.ts';
import { updateTypes } from './types.ts';
import { createUpdates, type Updates } from './updates.ts';

export function createTelegramPart({ db, clock, log, heldConnections }: PartContext): Part {
  const switches = createSwitches(db, 'telegram', telegramDefaults);
  const store = createTelegramStore(db, { webhook: null, allowedUpdates: [...updateTypes], commands: {} });
  const call = createMethods({ db, clock, store, updates: () => updates });
  const updates: Updates = createUpdates({
    db,
    clock,
    log,
    store,
    callFromWebhook(method, sent) {
      try {
        call(method, sent, { onGone: () => {} });
      } catch (error) {
        // There is no caller to report the error to; Telegram drops such calls too.
        log.warn(error, 'call in webhook answer failed');
      }
    },
  });
  const people = createPeople({ db, clock, store, updates });

  return {
    routes(app) {
      app.register(async (api) => botApi(api, { call, switches, heldConnections }));
      app.register(async (pages) => peopleRoutes(pages, { people, store, switches }));
    },
    stop: () => updates.stop(),
  };
}
