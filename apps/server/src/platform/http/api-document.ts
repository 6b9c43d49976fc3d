import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { can } from '@fpay/contract/roles';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import type { SessionCookies } from './cookies.ts';
import type { Sessions } from './session.ts';

interface Options {
  document: object;
  /** Which users may read it; with `off` it is not served at all. */
  readers: 'open' | 'staff';
  sessions: Sessions;
  cookies: SessionCookies;
}

/**
 * Serves the API document and a page to browse it. The document lists staff calls too, so a production network shows it
 * to staff only.
 */
export async function serveApiDocument(app: FastifyInstance, options: Options): Promise<void> {
  const { document, readers, sessions, cookies } = options;

  async function checkReader(request: FastifyRequest): Promise<void> {
    const token = cookies.read(request);
    const viewer = token ? (await sessions.find(token))?.session.viewer : null;
    if (!viewer) throw new Refusal('unauthenticated');
    if (!can(viewer.role, 'access-admin-page')) throw new Refusal('forbidden');
  }

  await app.register(async (scope) => {
    if (readers === 'staff') scope.addHook('onRequest', checkReader);
    scope.get('/api/openapi.json', async () => document);
    await scope.register(swagger, { mode: 'static', specification: { document: document as never } });
    await scope.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: true });
  });
}
