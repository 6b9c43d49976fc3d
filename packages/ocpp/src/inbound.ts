import type { OcppFault } from './codes.ts';
import type { MessageId } from './frame.ts';
import { HANDLER_TIMEOUT_MS, MAX_INBOUND_CALLS, RESUME_INBOUND_CALLS } from './limits.ts';
import type { LinkEvent } from './link-event.ts';
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

/** The link that received the calls: what handling them needs of it. */
interface AnsweringLink<Context> {
  readonly context: Context;
  now(): number;
  observe(event: LinkEvent): void;
  answer(job: InboundJob<Context>, response: object): void;
  refuse(id: MessageId, action: string | null, fault: OcppFault, description: string): void;
  fail(job: InboundJob<Context>, error: unknown): void;
  /** Called after a call was answered. */
  resumeIfDrained(): void;
}

/**
 * Calls from the other side. Ordered calls share a queue and run one after another, except that joined calls of one kind
 * that follow each other run together; the others run at once and may overtake. Answers to our own calls do not pass through here, so a handler that waits for one of them cannot block the
 * link.
 */
export class Inbound<Context> {
  readonly #link: AnsweringLink<Context>;
  #queue: InboundJob<Context>[] | null = null;
  /** The oldest ordered call that is being handled, and joined ones that began after it. */
  #running: InboundJob<Context> | null = null;
  #joined: Set<InboundJob<Context>> | null = null;
  open = 0;

  constructor(link: AnsweringLink<Context>) {
    this.#link = link;
  }

  get isFull(): boolean {
    return this.open >= MAX_INBOUND_CALLS;
  }

  get hasDrained(): boolean {
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
    this.#queue ??= [];
    this.#queue.push(job);
    this.#joinQueued();
    this.#checkTimeouts(job.receivedAt);
  }

  /** Starts queued calls that may be handled together with the running one. Their handler keeps their order. */
  #joinQueued(): void {
    const { route } = this.#running ?? {};
    while (route?.isJoined && this.#queue?.[0]?.route === route) {
      const job = this.#queue.shift() as InboundJob<Context>;
      this.#joined ??= new Set();
      this.#joined.add(job);
      if (this.#start(job)) this.#joined.delete(job);
    }
  }

  /**
   * A loop instead of recursion, so that handlers that answer at once do not deepen the stack with every queued call.
   */
  #runFrom(first: InboundJob<Context>): void {
    for (let job: InboundJob<Context> | undefined = first; job !== undefined; job = this.#queue?.shift()) {
      this.#running = job;
      if (!this.#start(job)) {
        this.#joinQueued();
        return;
      }
    }
    this.#running = null;
  }

  #continueAfter(job: InboundJob<Context>): void {
    // The call is not in the queue, or it timed out and the queue continued without it.
    if (this.#running !== job) {
      this.#joined?.delete(job);
      return;
    }
    for (const other of this.#joined ?? []) {
      this.#joined?.delete(other);
      this.#running = other;
      return;
    }
    this.#running = null;
    this.#joined = null;
    const next = this.#queue?.shift();
    if (next !== undefined) this.#runFrom(next);
  }

  /** Returns true when the call is already done; otherwise the queue continues when it is. */
  #start(job: InboundJob<Context>): boolean {
    const link = this.#link;
    const { route, action, id: messageId, payload, receivedAt } = job;
    // The handler keeps what it needs; releasing the payload saves memory, because thousands of messages wait for the
    // database at a time.
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
      response = route.handle(value, { context: link.context, action, messageId, receivedAt, repairs, payload });
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
    if (job.startedAt === TIMED_OUT) return;
    if (failure !== null) this.#link.fail(job, failure.error);
    else this.#link.answer(job, response ?? {});
    this.#done();
    this.#continueAfter(job);
  }

  /** A stuck handler would block all the others forever. Its sender gets `InternalError` and repeats the message. */
  #checkTimeouts(now: number): void {
    const job = this.#running;
    if (job === null || now - job.startedAt < HANDLER_TIMEOUT_MS) return;
    job.startedAt = TIMED_OUT;
    this.#link.observe({ kind: 'handlerStuck', action: job.action, messageId: job.id });
    this.#link.refuse(job.id, job.action, 'internal', 'internal error');
    this.#done();
    this.#continueAfter(job);
  }

  #done(): void {
    this.open--;
    this.#link.resumeIfDrained();
  }
}

const TIMED_OUT = -1;
