import type { Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import { CallRefused, codeOf, type Fault, type Protocol } from './codes.ts';
import {
  CALL,
  CALLERROR,
  errorText,
  type Frame,
  type MessageId,
  parseFrame,
  resultText,
  shortFrame,
  unanswered,
} from './frame.ts';
import { Inbound, type InboundJob } from './inbound.ts';
import { MAX_FRAME_BYTES, MAX_FRAMES_PER_SECOND, MAX_SOCKET_PAYLOAD_BYTES, MAX_UNREAD_BYTES } from './limits.ts';
import type { LinkEvent } from './link-event.ts';
import { conforms, explain, type Message, type ReadResponseOf, type RequestOf, read } from './message.ts';
import { CallFailed, type CallOptions, Outbound } from './outbound.ts';
import type { Handlers } from './routes.ts';

export interface LinkOptions<Context> {
  handlers: Handlers<Context>;
  /** Handed to every handler: who is at the other end. */
  context: Context;
  protocol?: Protocol;
  /** Of a server: the connection under the socket. A short answer is then written in one piece, not as head and body. */
  wire?: Writable;
  /** Told of everything odd, for logs and counters. */
  observe?: (event: LinkEvent, link: Link<Context>) => void;
  /** Told of every frame, as text. Costs nothing when left out. */
  trace?: (direction: 'in' | 'out', text: string, link: Link<Context>) => void;
  now?: () => number;
}

/** What to give `WebSocketServer` or `WebSocket`, so that the link's own limits decide. */
export const socketOptions = {
  maxPayload: MAX_SOCKET_PAYLOAD_BYTES,
  // A stray byte in a vendor's info text would otherwise cost the connection, again after every reconnect.
  skipUTF8Validation: true,
  // Frames are small; a compression context costs more memory than everything else of a connection together.
  perMessageDeflate: false,
} as const;

/** One end of an OCPP-J connection: the same for a central system and a charge point. */
export class Link<Context> {
  readonly context: Context;
  readonly protocol: Protocol;
  /** When anything was last heard: a call, an answer, a ping or a pong. All of them prove life. */
  heardAt: number;
  /** It has answered a ping of ours: it always will. Some devices never do. */
  answersPings = false;

  readonly #socket: WebSocket;
  readonly #options: LinkOptions<Context>;
  readonly #outbound: Outbound;
  readonly #inbound: Inbound<Context>;
  #isSlowed = false;
  #second = 0;
  #framesThisSecond = 0;
  /** Not before this, when the sender was too fast. */
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

  /** Calls of ours that wait: in the queue and on the wire. */
  get waitingCalls(): number {
    return this.#outbound.size;
  }

  /** Calls of theirs that are being handled or wait for their turn. */
  get openInbound(): number {
    return this.#inbound.open;
  }

  /** Calls the other side and reads its answer tolerantly. Rejects with `CallFailed`; with a plain error for a bug of ours. */
  async call<M extends Message>(
    message: M,
    request: RequestOf<M>,
    options: CallOptions = {},
  ): Promise<ReadResponseOf<M>> {
    if (!conforms(message.request, request)) {
      throw new Error(`${message.action} request is not of the standard: ${explain(message.request, request)}`);
    }
    const payload = await this.#outbound.call(message.action, request as object, options);
    const answer = read(message.response, payload, this.now());
    if (answer.failure !== null) {
      throw new CallFailed(message.action, 'unreadable', true, answer.failure.description);
    }
    if (answer.repairs.length > 0) {
      this.observe({ kind: 'repaired', action: message.action, of: 'response', repairs: answer.repairs });
    }
    return answer.value as ReadResponseOf<M>;
  }

  /** Any action with any payload, unchecked both ways: vendor actions, and charge points that are meant to err. */
  callUnchecked(action: string, payload: object, options: CallOptions = {}): Promise<unknown> {
    return this.#outbound.call(action, payload, options);
  }

  ping(): void {
    if (this.isOpen) this.#socket.ping();
  }

  close(code = 1000, reason = ''): void {
    this.#socket.close(code, reason);
  }

  /** Drops the connection without a goodbye, for one that does not answer. */
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
      this.#refuseFrame(unanswered(data.toString('utf8', 0, 256), 'frame too large'), data.length);
      return;
    }
    // Text is the rule; JSON in a binary frame is a slip that harms nobody.
    if (isBinary && data[0] !== OPENING_BRACKET) {
      this.observe({ kind: 'badFrame', reason: 'binary', bytes: data.length });
      return;
    }
    const text = data.toString();
    this.#options.trace?.('in', text, this);
    const frame = parseFrame(text);
    if (frame.type === CALL) this.#receiveCall(frame, now);
    else if (frame.type === 'bad' || frame.type === 'noise') this.#refuseFrame(frame, data.length);
    else if (!this.#outbound.settle(frame.id, frame.type === CALLERROR ? frame : { payload: frame.payload })) {
      this.observe({ kind: 'strayAnswer', messageId: frame.id });
    }
  }

  /** @internal */
  answer({ route, id, action }: InboundJob<Context>, response: object): void {
    if (!conforms(route.message.response, response)) {
      const error = new Error(`${action} answer is not of the standard: ${explain(route.message.response, response)}`);
      this.observe({ kind: 'handlerFailed', action, error });
      this.refuse(id, action, 'internal', 'internal error');
      return;
    }
    this.#send(resultText(id, response));
  }

  /** @internal */
  refuse(id: MessageId, action: string | null, fault: Fault, description: string, details: object = {}): void {
    const code = codeOf(fault, this.protocol);
    this.observe({ kind: 'refused', action, messageId: id, code, description });
    this.#send(errorText(id, code, description, details));
  }

  /** @internal */
  fail(job: InboundJob<Context>, error: unknown): void {
    if (error instanceof CallRefused) {
      this.refuse(job.id, job.action, error.fault, error.message, error.details);
      return;
    }
    this.observe({ kind: 'handlerFailed', action: job.action, error });
    // The reason is for our log, not for the wire.
    this.refuse(job.id, job.action, 'internal', 'internal error');
  }

  /** @internal Called when a call was answered. */
  ease(): void {
    if (!this.#isSlowed || !this.#inbound.isEased || this.#socket.bufferedAmount >= MAX_UNREAD_BYTES) return;
    if (this.#resumeAt > this.now()) return;
    this.#isSlowed = false;
    this.#socket.resume();
  }

  /** @internal */
  closed(code: number, reason: string): void {
    // Calls of theirs that already arrived are still handled: a StopTransaction is a fact, answered or not.
    this.#outbound.close();
    this.observe({ kind: 'closed', code, reason });
  }

  #receiveCall(frame: Frame & { type: typeof CALL }, receivedAt: number): void {
    if (frame.mended)
      this.observe({ kind: 'repaired', action: frame.action, of: 'request', repairs: ['broken JSON mended'] });
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
    this.#options.trace?.('out', text, this);
    if (this.#socket.bufferedAmount < MAX_UNREAD_BYTES) {
      const frame = this.#options.wire === undefined ? null : shortFrame(text);
      if (frame === null) this.#socket.send(text);
      else this.#options.wire?.write(frame, 'latin1');
    } else {
      // Whoever does not read its answers is not asked for more until it does.
      this.#slow('unread');
      this.#socket.send(text, () => this.ease());
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
      this.ease();
    }, this.#resumeAt - now).unref();
  }

  /** Stops reading: TCP then holds the sender back. Nothing is refused, nothing is lost. */
  #slow(reason: 'backlog' | 'rate' | 'unread'): void {
    if (this.#isSlowed) return;
    this.#isSlowed = true;
    this.observe({ kind: 'slowed', reason });
    this.#socket.pause();
  }
}

export function createLink<Context>(socket: WebSocket, options: LinkOptions<Context>): Link<Context> {
  return new Link(socket, options);
}

const OPENING_BRACKET = 0x5b;

// One set of listeners for all links instead of five closures for each: ten thousand idle links must stay small.
const links = new WeakMap<
  WebSocket,
  Pick<Link<unknown>, 'receive' | 'heardAt' | 'answersPings' | 'now' | 'observe' | 'closed'>
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

/** `ws` closes the socket after this; without a listener Node would end the process. */
function onError(this: WebSocket, error: Error): void {
  links.get(this)?.observe({ kind: 'socketError', error });
}
