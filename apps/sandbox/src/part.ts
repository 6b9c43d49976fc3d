import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import type { HeldConnections } from './fault.ts';

/** What every simulated third party gets. */
export interface PartContext {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  heldConnections: HeldConnections;
  /** The sandbox's own address as seen by this caller. */
  origin(request: FastifyRequest): string;
}

/** One simulated third party: its routes below its own address, and its shutdown. */
export interface Part {
  routes(app: FastifyInstance): void;
  /** Starts no new work and waits for work in progress. */
  stop(): Promise<void>;
}
