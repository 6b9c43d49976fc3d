import { createLink, type Handlers, type Link, socketOptions } from '@fpay/ocpp';
import { WebSocket } from 'ws';
import type { Clock, Timer } from './clock.ts';
import type { Random } from './random.ts';

interface Dependencies<Context> {
  url: string;
  identity: string;
  /** Asked at each connect: the central system may have changed it. */
  password: () => string;
  clock: Clock;
  random: Random;
  handlers: Handlers<Context>;
  context: Context;
  onOpen: (link: Link<Context>) => void;
  onClose: () => void;
}

/** First and longest wait before the next attempt; doubled each time. */
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
/** However fast the world runs, a server that is down is not hammered. In real milliseconds. */
const SHORTEST_RETRY_MS = 100;
/** A real server under a storm of reconnects may take its time. In real milliseconds. */
const HANDSHAKE_TIMEOUT_MS = 30_000;

/** A server that does not answer the goodbye is left without. In real milliseconds. */
const GOODBYE_MS = 1_000;

/** The charge point's line to its central system: comes back by itself unless it was cut on purpose. */
export class Connection<Context> {
  readonly #dependencies: Dependencies<Context>;
  #socket: WebSocket | null = null;
  #link: Link<Context> | null = null;
  #retry: Timer | null = null;
  #failures = 0;
  #isWanted = false;

  constructor(dependencies: Dependencies<Context>) {
    this.#dependencies = dependencies;
  }

  /** Null while there is no open connection. */
  get link(): Link<Context> | null {
    return this.#link;
  }

  connect(): void {
    this.#isWanted = true;
    if (this.#socket === null) this.#open();
  }

  /** Pulls the wire: no goodbye, and no new attempt before `connect`. */
  cut(): void {
    this.#give();
    this.#socket?.terminate();
  }

  /** Says goodbye and stays away. */
  close(): void {
    this.#give();
    const socket = this.#socket;
    socket?.close(1000);
    setTimeout(() => socket?.terminate(), GOODBYE_MS).unref();
  }

  #give(): void {
    this.#isWanted = false;
    this.#retry?.cancel();
    this.#retry = null;
  }

  #open(): void {
    const { url, identity, password, handlers, context, onOpen, onClose } = this.#dependencies;
    const socket = new WebSocket(`${url.replace(/\/+$/, '')}/${encodeURIComponent(identity)}`, 'ocpp1.6', {
      ...socketOptions,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      headers: { authorization: basic(identity, password()) },
    });
    this.#socket = socket;
    socket.once('open', () => {
      this.#failures = 0;
      this.#link = createLink(socket, { handlers, context });
      onOpen(this.#link);
    });
    // Refused, unreachable, reset: each is followed by `close`, which does the rest.
    socket.on('error', () => {});
    socket.once('close', () => {
      const wasOpen = this.#link !== null;
      this.#socket = null;
      this.#link = null;
      if (wasOpen) onClose();
      if (this.#isWanted) this.#tryLater();
    });
  }

  #tryLater(): void {
    const { clock, random } = this.#dependencies;
    const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures++) * random.between(0.75, 1.25);
    this.#retry = clock.after(Math.max(wait, SHORTEST_RETRY_MS * clock.speed), () => {
      this.#retry = null;
      if (this.#isWanted && this.#socket === null) this.#open();
    });
  }
}

/** As 1.6J says, a key of 40 hexadecimal digits is sent as its 20 bytes. */
function basic(identity: string, password: string): string {
  const secret = /^[0-9a-f]{40}$/i.test(password) ? Buffer.from(password, 'hex') : Buffer.from(password);
  return `Basic ${Buffer.concat([Buffer.from(`${identity}:`), secret]).toString('base64')}`;
}
