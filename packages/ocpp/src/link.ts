import type { Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import { CallRefused, codeOf, type OcppFault, type Protocol } from './codes.ts';
import {
  CALL,
  CALLERROR,
  type Frame,
  type MessageId,
  ocppErrorText,
  parseFrame,
  resultText,
  shortFrame,
  unparsedFrame,
} from './frame.ts';
import { Inbound, type InboundJob } from './inbound.ts';
import { MAX_FRAME_BYTES, MAX_FRAMES_PER_SECOND, MAX_SOCKET_PAYLOAD_BYTES, MAX_UNREAD_BYTES } from './limits.ts';
import type { LinkEvent } from './link-event.ts';
import { conforms, explain, type Message, type ReadResponseOf, type RequestOf, read } from './message.ts';
import { CallFailed, type CallOptions, Outbound } from './outbound.ts';
import type { Handlers } from './routes.ts';

export interface LinkOptions<Context> {
  handlers: Handlers<Context>;
  context: Context;
  protocol?: Protocol;
  /** On a server: the connection below the socket, so that a short answer is sent in one write. */
  wire?: Writable;
  /** Called for every irregularity, for logs and counters. */
  observe?: (event: LinkEvent, link: OcppLink<Context>) => void;
  /** Called with every frame: the bytes of one that arrives are valid only during the call. */
  received?: (frame: Buffer, link: OcppLink<Context>) => void;
  sent?: (frame: string, link: OcppLink<Context>) => void;
  /** Called with each answer to a call of ours; the caller gets what it returns. */
  answered?: (action: string, answer: object) => object;
  now?: () => number;
}

/** Options for `WebSocketServer` or `WebSocket`, so that the link's own limits apply. */
export const socketOptions = {
  maxPayload: MAX_SOCKET_PAYLOAD_BYTES,
  // With validation, one invalid byte in a vendor's info text would close every connection.
  skipUTF8Validation: true,
  // Frames are small, and a compression context needs more memory than the rest of a connection.
  perMessageDeflate: false,
} as const;

/** One end of an OCPP-J connection; central system and charge point use the same class. */
export class OcppLink<Context> {
  readonly context: Context;
  readonly protocol: Protocol;
  /** When the last call, answer, ping or pong arrived; each shows that the connection is alive. */
  heardAt: number;
  /** True after the first answer to a ping, because some devices never answer pings. */
  answersPings = false;

  readonly #socket: WebSocket;
  readonly #options: LinkOptions<Context>;
  readonly #outbound: Outbound;
  readonly #inbound: Inbound<Context>;
  #isSlowed = false;
  #second = 0;
  #framesThisSecond = 0;
  /** When the sender was too fast, reading does not resume before this time. */
  #resumeAt = 0;

  constructor(socket: WebSocket, options: LinkOptions<Context>) {
    this.#socket = socket;
    this.#options = options;
    this.context = options.context;
    this.protocol = options.protocol ?? 'ocpp1.6';
    this.heardAt = this.now();
    this.#outbound = new Outbound((text) => this.#send(text));
    this.#inbound = new Inbound(this);
    links.set(socket, this);
    socket.on('message', onMessage);
    socket.on('ping', onSignOfLife);
    socket.on('pong', onPong);
    socket.on('close', onClose);
    socket.on('error', onError);
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Our calls that are in the queue or waiting for an answer. */
  get waitingCalls(): number {
    return this.#outbound.size;
  }

  /** Calls from the other side that are being handled or queued. */
  get openInbound(): number {
    return this.#inbound.open;
  }

  /** Reads the answer tolerantly. Rejects with `CallFailed`, or with a plain error when our own request is invalid. */
  async call<M extends Message>(
    message: M,
    request: RequestOf<M>,
    options: CallOptions = {},
  ): Promise<ReadResponseOf<M>> {
    if (!conforms(message.request, request)) {
      throw new Error(`${message.action} request violates the standard: ${explain(message.request, request)}`);
    }
    const payload = await this.#outbound.call(message.action, request as object, options);
    const answer = read(message.response, payload, this.now());
    if (answer.failure !== null) throw new CallFailed(message.action, 'unreadable', true, answer.failure.description);
    if (answer.repairs.length > 0) {
      this.observe({ kind: 'repaired', action: message.action, of: 'response', repairs: answer.repairs });
    }
    return (this.#options.answered?.(message.action, answer.value as object) ?? answer.value) as ReadResponseOf<M>;
  }

  /** Does not check request and answer: for vendor actions, and for simulated charge points that make errors. */
  callUnchecked(action: string, payload: object, options: CallOptions = {}): Promise<unknown> {
    return this.#outbound.call(action, payload, options);
  }

  ping(): void {
    if (this.isOpen) this.#socket.ping();
  }

  close(code = 1000, reason = ''): void {
    this.#socket.close(code, reason);
  }

  /** Closes the connection without a closing handshake, because the other side does not answer. */
  terminate(): void {
    this.#socket.terminate();
  }

  /** @internal */
  now(): number {
    return this.#options.now === undefined ? Date.now() : this.#options.now();
  }

  /** @internal */
  observe(event: LinkEvent): void {
    this.#options.observe?.(event, this);
  }

  /** @internal */
  receive(data: Buffer, isBinary: boolean): void {
    const now = this.now();
    this.heardAt = now;
    this.#countFrame(now);
    if (data.length > MAX_FRAME_BYTES) {
      this.#refuseFrame(unparsedFrame(data.toString('utf8', 0, 256), 'frame too large'), data.length);
      return;
    }
    // Frames should be text; JSON in a binary frame is harmless and accepted.
    if (isBinary && data[0] !== OPENING_BRACKET) {
      this.observe({ kind: 'badFrame', reason: 'binary', bytes: data.length });
      return;
    }
    this.#options.received?.(data, this);
    const frame = parseFrame(data.toString());
    if (frame.type === CALL) this.#receiveCall(frame, now);
    else if (frame.type === 'bad' || frame.type === 'noise') this.#refuseFrame(frame, data.length);
    else if (!this.#outbound.settle(frame.id, frame.type === CALLERROR ? frame : { payload: frame.payload })) {
      this.observe({ kind: 'strayAnswer', messageId: frame.id });
    }
  }

  /** @internal */
  answer({ route, id, action }: InboundJob<Context>, response: object): void {
    if (!conforms(route.message.response, response)) {
      const error = new Error(`${action} answer violates the standard: ${explain(route.message.response, response)}`);
      this.observe({ kind: 'handlerFailed', action, error });
      this.refuse(id, action, 'internal', 'internal error');
      return;
    }
    this.#send(resultText(id, response));
  }

  /** @internal */
  refuse(id: MessageId, action: string | null, fault: OcppFault, description: string, details: object = {}): void {
    const code = codeOf(fault, this.protocol);
    this.observe({ kind: 'refused', action, messageId: id, code, description });
    this.#send(ocppErrorText(id, code, description, details));
  }

  /** @internal */
  fail(job: InboundJob<Context>, error: unknown): void {
    if (error instanceof CallRefused) {
      this.refuse(job.id, job.action, error.fault, error.message, error.details);
      return;
    }
    this.observe({ kind: 'handlerFailed', action: job.action, error });
    // The reason goes to our log only, not to the other side.
    this.refuse(job.id, job.action, 'internal', 'internal error');
  }

  /** @internal Called after a call was answered. */
  resumeIfDrained(): void {
    if (!this.#isSlowed || !this.#inbound.hasDrained || this.#socket.bufferedAmount >= MAX_UNREAD_BYTES) return;
    if (this.#resumeAt > this.now()) return;
    this.#isSlowed = false;
    this.#socket.resume();
  }

  /** @internal */
  closed(code: number, reason: string): void {
    // Calls that already arrived are still handled, because a StopTransaction is a fact.
    this.#outbound.close();
    this.observe({ kind: 'closed', code, reason });
  }

  #receiveCall(frame: Frame & { type: typeof CALL }, receivedAt: number): void {
    if (frame.isRepaired)
      this.observe({ kind: 'repaired', action: frame.action, of: 'request', repairs: ['broken JSON repaired'] });
    const route = this.#options.handlers.get(frame.action);
    if (route === undefined) {
      this.refuse(frame.id, frame.action.slice(0, 50), 'unknownAction', 'this action is not known here');
      return;
    }
    this.#inbound.take({ route, id: frame.id, action: frame.action, payload: frame.payload, receivedAt, startedAt: 0 });
    if (this.#inbound.isFull) this.#slow('backlog');
  }

  #refuseFrame(frame: Frame, bytes: number): void {
    if (frame.type === 'bad') this.refuse(frame.id, null, 'formation', frame.reason);
    else if (frame.type === 'noise') this.observe({ kind: 'badFrame', reason: frame.reason, bytes });
  }

  #send(text: string): boolean {
    if (!this.isOpen) return false;
    this.#options.sent?.(text, this);
    if (this.#socket.bufferedAmount < MAX_UNREAD_BYTES) {
      const frame = this.#options.wire === undefined ? null : shortFrame(text);
      if (frame === null) this.#socket.send(text);
      else this.#options.wire?.write(frame, 'latin1');
    } else {
      // A client that does not read its answers is not read from until it does.
      this.#slow('unread');
      this.#socket.send(text, () => this.resumeIfDrained());
    }
    return true;
  }

  #countFrame(now: number): void {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#framesThisSecond = 0;
    }
    if (++this.#framesThisSecond !== MAX_FRAMES_PER_SECOND) return;
    this.#resumeAt = (second + 1) * 1000;
    this.#slow('rate');
    setTimeout(() => {
      this.#resumeAt = 0;
      this.resumeIfDrained();
    }, this.#resumeAt - now).unref();
  }

  /** Stops reading, so that TCP slows the sender down. Nothing is refused and nothing is lost. */
  #slow(reason: 'backlog' | 'rate' | 'unread'): void {
    if (this.#isSlowed) return;
    this.#isSlowed = true;
    this.observe({ kind: 'slowed', reason });
    this.#socket.pause();
  }
}

export function createLink<Context>(socket: WebSocket, options: LinkOptions<Context>): OcppLink<Context> {
  return new OcppLink(socket, options);
}

const OPENING_BRACKET = 0x5b;

// One set of listeners for all links instead of five closures for each saves memory.
const links = new WeakMap<
  WebSocket,
  Pick<OcppLink<unknown>, 'receive' | 'heardAt' | 'answersPings' | 'now' | 'observe' | 'closed'>
>();

function onMessage(this: WebSocket, data: unknown, isBinary: boolean): void {
  links.get(this)?.receive(data as Buffer, isBinary);
}

function onSignOfLife(this: WebSocket): void {
  const link = links.get(this);
  if (link !== undefined) link.heardAt = link.now();
}

function onPong(this: WebSocket): void {
  const link = links.get(this);
  if (link === undefined) return;
  link.heardAt = link.now();
  link.answersPings = true;
}

function onClose(this: WebSocket, code: number, reason: Buffer): void {
  links.get(this)?.closed(code, reason.toString());
}

/** `ws` closes the socket after this event; without a listener Node would end the process. */
function onError(this: WebSocket, error: Error): void {
  links.get(this)?.observe({ kind: 'socketError', error });
}
