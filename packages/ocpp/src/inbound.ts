import type { MessageId } from './frame.ts';
import { HANDLER_PATIENCE_MS, MAX_INBOUND_CALLS, RESUME_INBOUND_CALLS } from './limits.ts';
import type { Link } from './link.ts';
import { read } from './message.ts';
import type { Route } from './routes.ts';

export interface InboundJob<Context> {
  readonly route: Route<Context>;
  readonly id: MessageId;
  readonly action: string;
  payload: unknown;
  readonly receivedAt: number;
  startedAt: number;
}

/**
 * The calls of the other side. Ordered ones share a lane and run one after another; the rest run at once and overtake.
 * Answers to our own calls never pass through here, so a handler that waits for something of ours cannot lock the link.
 */
export class Inbound<Context> {
  readonly #link: Link<Context>;
  #lane: InboundJob<Context>[] | null = null;
  #running: InboundJob<Context> | null = null;
  open = 0;

  constructor(link: Link<Context>) {
    this.#link = link;
  }

  get isFull(): boolean {
    return this.open >= MAX_INBOUND_CALLS;
  }

  get isEased(): boolean {
    return this.open <= RESUME_INBOUND_CALLS;
  }

  take(job: InboundJob<Context>): void {
    this.open++;
    if (!job.route.isOrdered) {
      this.#start(job);
      return;
    }
    if (this.#running === null) {
      this.#runFrom(job);
      return;
    }
    this.#lane ??= [];
    this.#lane.push(job);
    this.#checkPatience(job.receivedAt);
  }

  /** A loop, not a recursion: a handler that answers at once must not deepen the stack with every call in the lane. */
  #runFrom(first: InboundJob<Context>): void {
    for (let job: InboundJob<Context> | undefined = first; job !== undefined; job = this.#lane?.shift()) {
      this.#running = job;
      if (!this.#start(job)) return;
    }
    this.#running = null;
  }

  #continueAfter(job: InboundJob<Context>): void {
    // Of no lane, or given up meanwhile and the lane went on without it.
    if (this.#running !== job) return;
    this.#running = null;
    const next = this.#lane?.shift();
    if (next !== undefined) this.#runFrom(next);
  }

  /** True when it is done already; otherwise the lane goes on when it is. */
  #start(job: InboundJob<Context>): boolean {
    const link = this.#link;
    const { route, action, id: messageId, payload, receivedAt } = job;
    // Whatever of it is needed later its handler keeps: thousands of messages wait for the database at a time.
    job.payload = null;
    job.startedAt = link.now();
    const request = read(route.message.request, payload, receivedAt);
    if (request.failure !== null) {
      link.refuse(messageId, action, request.failure.fault, request.failure.description);
      this.#done();
      return true;
    }
    const { value, repairs } = request;
    if (repairs.length > 0) link.observe({ kind: 'repaired', action, of: 'request', repairs });
    let response: object | Promise<object>;
    try {
      response = route.handle(value, { link, context: link.context, action, messageId, receivedAt, repairs, payload });
    } catch (error) {
      link.fail(job, error);
      this.#done();
      return true;
    }
    if (response instanceof Promise) {
      response.then(
        (given) => this.#settle(job, given, null),
        (error) => this.#settle(job, null, { error }),
      );
      return false;
    }
    link.answer(job, response);
    this.#done();
    return true;
  }

  #settle(job: InboundJob<Context>, response: object | null, failure: { error: unknown } | null): void {
    if (job.startedAt === GIVEN_UP) return;
    if (failure !== null) this.#link.fail(job, failure.error);
    else this.#link.answer(job, response ?? {});
    this.#done();
    this.#continueAfter(job);
  }

  /** A stuck handler would hold back all the others for ever. Its sender hears `InternalError` and repeats the message. */
  #checkPatience(now: number): void {
    const job = this.#running;
    if (job === null || now - job.startedAt < HANDLER_PATIENCE_MS) return;
    job.startedAt = GIVEN_UP;
    this.#link.observe({ kind: 'handlerStuck', action: job.action, messageId: job.id });
    this.#link.refuse(job.id, job.action, 'internal', 'internal error');
    this.#done();
    this.#continueAfter(job);
  }

  #done(): void {
    this.open--;
    this.#link.ease();
  }
}

const GIVEN_UP = -1;
