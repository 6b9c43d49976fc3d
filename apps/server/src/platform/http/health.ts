import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** A load balancer checks every few seconds; a slower answer counts as not ready. */
const timeoutMs = 1_500;

/** `/healthz`: the process lives. `/readyz`: it can serve, which needs the database and no shutdown under way. */
export function healthRoutes(app: FastifyInstance, db: Database, isStopping: () => boolean): void {
  app.get('/healthz', async () => ({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    if (isStopping()) return reply.code(503).send({ status: 'stopping' });
    const answered = sql`select 1`.execute(db).then(
      () => true,
      () => false,
    );
    const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), timeoutMs).unref());
    const isReady = await Promise.race([answered, late]);
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'no database' });
  });
}
