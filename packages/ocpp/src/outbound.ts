import { randomUUID } from 'node:crypto';
import { type OcppFault, ocppFaultOf } from './codes.ts';
import { callText, type MessageId } from './frame.ts';
import { CALL_QUEUE_WAIT_MS, CALL_TIMEOUT_MS, MAX_QUEUED_CALLS } from './limits.ts';

/** Why a call has no usable answer. */
export type CallFailure =
  | 'refused' // the other side answered CALLERROR
  | 'timeout' // no answer in time, or the call was never sent
  | 'closed' // the socket is closed
  | 'queueFull'
  | 'unreadable'; // the answer cannot be read

export class CallFailed extends Error {
  readonly failure: CallFailure;
  /** False when the call was certainly not sent. When true, the other side may have acted on it. */
  readonly wasSent: boolean;
  /** The code of a CALLERROR as received, and its meaning. */
  readonly code: string | null;
  readonly fault: OcppFault | null;

  constructor(action: string, failure: CallFailure, wasSent: boolean, description: string, code: string | null = null) {
    super(`${action}: ${description}`);
    this.name = 'CallFailed';
    this.failure = failure;
    this.wasSent = wasSent;
    this.code = code;
    this.fault = code === null ? null : ocppFaultOf(code);
  }
}

export interface CallOptions {
  /** Timeout for the answer, counted from sending. */
  timeoutMs?: number;
  /** Timeout for the turn in the queue. */
  queueWaitMs?: number;
  /** The call goes before all calls that are not urgent; a stop must not wait for a list of configuration keys. */
  isUrgent?: boolean;
  /**
   * How long the call waits for the answer to the previous call; then it is sent beside that call. The standard
   * recommends (SHOULD) one call at a time, but a charge that does not stop is worse. When omitted, the call waits for
   * its turn.
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

/** Our calls: a queue with one call at a time on the wire. Each answer is matched by its id only. */
export class Outbound {
  readonly #send: (text: string) => boolean;
  // Created with the first call, because ten thousand idle links do not need it.
  #queue: QueuedCall[] | null = null;
  #outstanding: QueuedCall | null = null;
  /** Calls that were sent while another one was open. */
  #overtakers: QueuedCall[] | null = null;

  /** `send` returns whether the socket accepted the text. */
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
      const firstNotUrgent = isUrgent ? this.#queue.findIndex((other) => !other.isUrgent) : -1;
      this.#queue.splice(firstNotUrgent === -1 ? this.#queue.length : firstNotUrgent, 0, call);
      if (this.#outstanding === null) this.#sendNext();
      else if (overtakesAfterMs === 0) this.#overtake(call);
      else {
        call.timer = setTimeout(() => this.#giveUpWaiting(call), queueWaitMs);
        if (overtakesAfterMs !== undefined) call.overtaking = setTimeout(() => this.#overtake(call), overtakesAfterMs);
      }
    });
  }

  /** Returns false when no call of ours waits for this id, because it timed out or never existed. */
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

  /** The socket is closed: no answer can come, and calls are not kept for a later connection. */
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

  /** Sends a call beside the open one. Each answer is still matched by its id. */
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
