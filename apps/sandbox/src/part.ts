import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import type { Silence } from './fault.ts';

/** What every played third party stands on. */
export interface Ground {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  silence: Silence;
  /** The sandbox's own address as this caller sees it. */
  origin(request: FastifyRequest): string;
}

/** One played third party: its routes under its own prefix, and how it stops. */
export interface Part {
  prefix: string;
  routes(app: FastifyInstance): void;
  /** No more work is begun; what is under way is waited for. */
  stop(): Promise<void>;
}
