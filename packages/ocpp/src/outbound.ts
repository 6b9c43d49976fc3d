import { randomUUID } from 'node:crypto';
import { type Fault, faultOf } from './codes.ts';
import { callText, type MessageId } from './frame.ts';
import { CALL_QUEUE_WAIT_MS, CALL_TIMEOUT_MS, MAX_QUEUED_CALLS } from './limits.ts';

/** Why a call has no answer of use. */
export type CallFailure =
  | 'refused' // the other side answered CALLERROR
  | 'timeout' // no answer in time, or its turn never came
  | 'closed' // the socket is gone
  | 'queueFull'
  | 'unreadable'; // an answer came that nobody can read

export class CallFailed extends Error {
  readonly failure: CallFailure;
  /** False: it certainly never left. True: the other side may have acted on it. */
  readonly wasSent: boolean;
  /** Of a CALLERROR: its code as it came, and what that means. */
  readonly code: string | null;
  readonly fault: Fault | null;

  constructor(action: string, failure: CallFailure, wasSent: boolean, description: string, code: string | null = null) {
    super(`${action}: ${description}`);
    this.name = 'CallFailed';
    this.failure = failure;
    this.wasSent = wasSent;
    this.code = code;
    this.fault = code === null ? null : faultOf(code);
  }
}

export interface CallOptions {
  /** For the answer, counted from the moment it is sent. */
  timeoutMs?: number;
  /** For its turn in the queue. */
  queueWaitMs?: number;
  /** Before all calls that are not urgent: a stop must not wait for a list of configuration keys. */
  isUrgent?: boolean;
  /**
   * How long it waits for the answer to the call before it; then it is sent beside that call. The standard says SHOULD
   * about one call at a time, and a charge that goes on is worse. Left out: it waits for its turn.
   */
  overtakesAfterMs?: number;
}

interface QueuedCall {
  readonly id: string;
  readonly action: string;
  readonly payload: object;
  readonly timeoutMs: number;
  readonly isUrgent: boolean;
  readonly resolve: (payload: unknown) => void;
  readonly reject: (error: CallFailed) => void;
  timer: NodeJS.Timeout | null;
  overtaking: NodeJS.Timeout | null;
}

/** The calls of our side: in a queue, one at a time on the wire, each answer matched by its id and nothing else. */
export class Outbound {
  readonly #send: (text: string) => boolean;
  // Not made before the first call: ten thousand idle links have none.
  #queue: QueuedCall[] | null = null;
  #outstanding: QueuedCall | null = null;
  /** Calls that were sent while another one was still open. */
  #overtakers: QueuedCall[] | null = null;

  /** `send` tells whether the socket took the text. */
  constructor(send: (text: string) => boolean) {
    this.#send = send;
  }

  get size(): number {
    return (this.#queue?.length ?? 0) + (this.#outstanding === null ? 0 : 1) + (this.#overtakers?.length ?? 0);
  }

  call(action: string, payload: object, options: CallOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#queue ??= [];
      if (this.#queue.length >= MAX_QUEUED_CALLS) {
        reject(new CallFailed(action, 'queueFull', false, 'too many calls wait for an answer'));
        return;
      }
      const {
        timeoutMs = CALL_TIMEOUT_MS,
        queueWaitMs = CALL_QUEUE_WAIT_MS,
        isUrgent = false,
        overtakesAfterMs,
      } = options;
      const call: QueuedCall = {
        id: randomUUID(),
        action,
        payload,
        timeoutMs,
        isUrgent,
        resolve,
        reject,
        timer: null,
        overtaking: null,
      };
      const firstPatient = isUrgent ? this.#queue.findIndex((other) => !other.isUrgent) : -1;
      this.#queue.splice(firstPatient === -1 ? this.#queue.length : firstPatient, 0, call);
      if (this.#outstanding === null) this.#sendNext();
      else if (overtakesAfterMs === 0) this.#overtake(call);
      else {
        call.timer = setTimeout(() => this.#giveUpWaiting(call), queueWaitMs);
        if (overtakesAfterMs !== undefined) call.overtaking = setTimeout(() => this.#overtake(call), overtakesAfterMs);
      }
    });
  }

  /** False: no call of ours waits for this id (it timed out, or never was). */
  settle(id: MessageId, answer: { payload: unknown } | { code: string; description: string }): boolean {
    const outstanding = this.#outstanding;
    const call = outstanding?.id === id ? outstanding : this.#overtakers?.find((other) => other.id === id);
    if (call === undefined) return false;
    this.#finish(call);
    if ('payload' in answer) call.resolve(answer.payload);
    else call.reject(new CallFailed(call.action, 'refused', true, answer.description || answer.code, answer.code));
    if (this.#outstanding === null) this.#sendNext();
    return true;
  }

  /** The socket is gone: nothing will be answered, and nothing is kept for a later connection. */
  close(): void {
    const outstanding = this.#outstanding;
    const queue = this.#queue ?? [];
    this.#queue = null;
    for (const call of [...(outstanding === null ? [] : [outstanding]), ...(this.#overtakers ?? [])]) {
      this.#finish(call);
      call.reject(new CallFailed(call.action, 'closed', true, 'the connection closed before an answer'));
    }
    for (const call of queue) {
      this.#finish(call);
      call.reject(new CallFailed(call.action, 'closed', false, 'the connection closed before it was sent'));
    }
  }

  #sendNext(): void {
    for (let call = this.#queue?.shift(); call !== undefined; call = this.#queue?.shift()) {
      this.#outstanding = call;
      if (this.#put(call)) return;
    }
  }

  #put(call: QueuedCall): boolean {
    stopTimers(call);
    call.timer = setTimeout(() => this.#giveUp(call), call.timeoutMs);
    if (this.#send(callText(call.id, call.action, call.payload))) return true;
    this.#finish(call);
    call.reject(new CallFailed(call.action, 'closed', false, 'not connected'));
    return false;
  }

  /** Sends a call beside the one that is open. Each answer still finds its own call by its id. */
  #overtake(call: QueuedCall): void {
    const index = this.#queue?.indexOf(call) ?? -1;
    if (index === -1) return;
    this.#queue?.splice(index, 1);
    this.#overtakers ??= [];
    this.#overtakers.push(call);
    this.#put(call);
  }

  #giveUp(call: QueuedCall): void {
    this.#finish(call);
    call.reject(new CallFailed(call.action, 'timeout', true, `no answer within ${call.timeoutMs} ms`));
    if (this.#outstanding === null) this.#sendNext();
  }

  #giveUpWaiting(call: QueuedCall): void {
    const queue = this.#queue ?? [];
    const index = queue.indexOf(call);
    if (index === -1) return;
    queue.splice(index, 1);
    stopTimers(call);
    call.reject(new CallFailed(call.action, 'timeout', false, 'its turn never came'));
  }

  #finish(call: QueuedCall): void {
    stopTimers(call);
    if (this.#outstanding === call) this.#outstanding = null;
    else if (this.#overtakers !== null) this.#overtakers = this.#overtakers.filter((other) => other !== call);
  }
}

function stopTimers(call: QueuedCall): void {
  if (call.timer !== null) clearTimeout(call.timer);
  if (call.overtaking !== null) clearTimeout(call.overtaking);
  call.timer = null;
  call.overtaking = null;
}
