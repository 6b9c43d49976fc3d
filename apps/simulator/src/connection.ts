import { createLink, type Handlers, type Link, socketOptions } from '@fpay/ocpp';
import { WebSocket } from 'ws';
import type { Clock, Timer } from './clock.ts';
import type { Random } from './random.ts';

interface Dependencies<Context> {
  url: string;
  identity: string;
  /** A function, because the central system may change the password between two connections. */
  password: () => string;
  /** For a central system with TLS: the trusted authority, and the device's own certificate for security profile 3. */
  tls?: DeviceTls | undefined;
  clock: Clock;
  random: Random;
  handlers: Handlers<Context>;
  context: Context;
  onOpen: (link: Link<Context>) => void;
  onClose: () => void;
}

/** PEM texts. */
export interface DeviceTls {
  ca: string;
  cert?: string;
  key?: string;
}

/** Shortest and longest delay before the next attempt; it doubles each time. */
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
/** At any simulation speed, a server that is down must not be flooded. In real milliseconds. */
const SHORTEST_RETRY_MS = 100;
/** A server that handles many reconnects at once may be slow. In real milliseconds. */
const HANDSHAKE_TIMEOUT_MS = 30_000;

/** How long the closing handshake may take. In real milliseconds. */
const CLOSE_TIMEOUT_MS = 1_000;

/** The charge point's connection to its central system. It reconnects automatically unless it was cut on purpose. */
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

  /** Breaks the connection without a closing handshake. It stays closed until `connect` is called. */
  cut(): void {
    this.#give();
    this.#socket?.terminate();
  }

  /** Closes the connection with a closing handshake and does not reconnect. */
  close(): void {
    this.#give();
    const socket = this.#socket;
    socket?.close(1000);
    setTimeout(() => socket?.terminate(), CLOSE_TIMEOUT_MS).unref();
  }

  #give(): void {
    this.#isWanted = false;
    this.#retry?.cancel();
    this.#retry = null;
  }

  #open(): void {
    const { url, identity, password, tls, handlers, context, onOpen, onClose } = this.#dependencies;
    const socket = new WebSocket(`${url.replace(/\/+$/, '')}/${encodeURIComponent(identity)}`, 'ocpp1.6', {
      ...socketOptions,
      ...tls,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      headers: { authorization: basic(identity, password()) },
    });
    this.#socket = socket;
    socket.once('open', () => {
      this.#failures = 0;
      this.#link = createLink(socket, { handlers, context });
      onOpen(this.#link);
    });
    // Every error is followed by `close`, which schedules the reconnect.
    socket.on('error', () => {});
    socket.once('close', () => {
      const wasOpen = this.#link !== null;
      this.#socket = null;
      this.#link = null;
      if (wasOpen) onClose();
      if (this.#isWanted) this.#scheduleRetry();
    });
  }

  #scheduleRetry(): void {
    const { clock, random } = this.#dependencies;
    const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures++) * random.between(0.75, 1.25);
    this.#retry = clock.after(Math.max(wait, SHORTEST_RETRY_MS * clock.speed), () => {
      this.#retry = null;
      if (this.#isWanted && this.#socket === null) this.#open();
    });
  }
}

/** As 1.6J requires, a key of 40 hexadecimal digits is sent as its 20 bytes. */
function basic(identity: string, password: string): string {
  const secret = /^[0-9a-f]{40}$/i.test(password) ? Buffer.from(password, 'hex') : Buffer.from(password);
  return `Basic ${Buffer.concat([Buffer.from(`${identity}:`), secret]).toString('base64')}`;
}
