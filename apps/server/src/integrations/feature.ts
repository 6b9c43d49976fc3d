import type { FastifyInstance } from 'fastify';
import type { Audit } from '../platform/audit.ts';
import type { ApiKeys } from '../platform/http/api-key.ts';
import { callOutside, type OutsideCall, type OutsidePolicy } from '../platform/outside/outside-call.ts';
import { createSecretBox } from '../platform/outside/secret-box.ts';
import type { Platform } from '../platform/platform.ts';
import type { StationStore } from '../stations/store.ts';
import { type ApiKeyStaff, createApiKeyStaff } from './api-key-staff.ts';
import { createApiKeys, revokeKeys } from './api-keys.ts';
import { createCdrStore } from './ocpi/cdr-store.ts';
import { createOcpiHandshake } from './ocpi/handshake.ts';
import type { OcpiIdentity } from './ocpi/identity.ts';
import { createOcpiAccess, createOcpiStaff, type OcpiStaff } from './ocpi/partners.ts';
import { createOcpiReadModel } from './ocpi/read-model.ts';
import { ocpiRoutes, versionsPath } from './ocpi/routes.ts';
import { createWebhookDelivery } from './webhooks/delivery.ts';
import { createWebhookRecorder, type WebhookRecorder } from './webhooks/events.ts';
import { createWebhookStaff, type WebhookStaff } from './webhooks/staff.ts';

export interface IntegrationsDependencies
  extends Pick<Platform, 'db' | 'steps' | 'clock' | 'limits' | 'dueWork' | 'log'> {
  audit: Audit;
  /** Secrets of endpoints are encrypted with a key that is derived from it. */
  secret: string;
  policy: OutsidePolicy;
  /** Outside production the data of each event is checked against the contract. */
  checksData: boolean;
  publicUrl: URL;
  stations: Pick<StationStore, 'byIds' | 'connectorsOf'>;
  /** Who we are for partners: the party, the name, and whether prices include VAT. */
  seller: { identity: OcpiIdentity; brand: string; hasVat: boolean };
  isDown: () => boolean;
  /** For tests that break the connection in their own way. */
  send?: (call: OutsideCall) => Promise<{ status: number }>;
}

export interface Integrations {
  /** For the HTTP server, which asks about every call with a key. */
  apiKeys: ApiKeys;
  keys: ApiKeyStaff;
  /** Keys of the API that a new role may not have. */
  revokeKeys: typeof revokeKeys;
  webhooks: WebhookStaff;
  /** Charging and payments write the events of their changes by it. */
  events: WebhookRecorder;
  partners: OcpiStaff;
  /** The routes of OCPI. */
  serveOcpi(app: FastifyInstance): void;
  /** At night: events of more than 30 days ago are deleted with their deliveries. */
  forgetEvents(): Promise<void>;
}

const eventsKeptMs = 30 * 24 * 3_600_000;

/** How programs of others reach the product, wired. */
export function createIntegrations(given: IntegrationsDependencies): Integrations {
  const { db, steps, clock, limits, dueWork, audit, policy, publicUrl, stations, seller, log, isDown } = given;
  const { identity, brand, hasVat } = seller;
  const versionsUrl = new URL(versionsPath, publicUrl).href;
  const box = createSecretBox(given.secret, 'webhook secrets');
  const send = given.send ?? ((call: OutsideCall) => callOutside(call, policy));
  dueWork.register(createWebhookDelivery({ db, steps, clock, box, send }));
  return {
    apiKeys: createApiKeys({ db, clock, limits }),
    keys: createApiKeyStaff({ db, steps, clock, audit }),
    revokeKeys,
    webhooks: createWebhookStaff({ db, steps, clock, audit, box, policy, dueWork }),
    events: createWebhookRecorder({ clock, dueWork, checksData: given.checksData }),
    partners: createOcpiStaff({ db, steps, clock, audit, versionsUrl }),
    serveOcpi(app) {
      const handshake = createOcpiHandshake({
        steps,
        clock,
        box: createSecretBox(given.secret, 'ocpi tokens'),
        policy,
        identity,
        versionsUrl,
        brand,
      });
      const read = createOcpiReadModel({ db, clock, stations, identity, operator: brand, hasVat });
      ocpiRoutes(app, {
        access: createOcpiAccess({ db, clock }),
        handshake,
        read,
        cdrs: createCdrStore(db, { identity, operator: brand, hasVat }),
        isOwnParty: ({ countryCode, partyId }) => countryCode === identity.countryCode && partyId === identity.partyId,
        limits,
        clock,
        log,
        publicUrl,
        isDown,
      });
    },
    async forgetEvents() {
      const before = new Date(clock.now().getTime() - eventsKeptMs);
      await db.deleteFrom('webhook_events').where('created_at', '<', before).execute();
    },
  };
}
