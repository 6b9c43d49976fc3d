import { randomBytes } from 'node:crypto';
import { type RawData, WebSocket } from 'ws';
import { connected, disconnected, readFrame } from './frames.ts';
import type { HubLimits } from './limits.ts';
import type { CutOff, HubClock } from './ports.ts';
import { answer, type Member, RecentAcks } from './protocol.ts';
import type { Pass } from './token.ts';

export interface HubContext {
  limits: HubLimits;
  clock: HubClock;
  /** Called once, as soon as the connection accepts no more messages; the close handshake may still be in progress. */
  onEnd(connection: HubConnection, cutOff?: CutOff): void;
  join(connection: HubConnection, group: string): void;
  leave(connection: HubConnection, group: string): void;
}

/** One admitted socket. It is a class because there are thousands: methods are shared and the fields stay few. */
export class HubConnection implements Member {
  readonly id = randomBytes(12).toString('base64url');
  readonly user: number;
  readonly rights: ReadonlySet<string>;
  readonly groups = new Set<string>();
  readonly done: RecentAcks;
  readonly #socket: WebSocket;
  readonly #around: HubContext;
  readonly #endsAtMs: number;
  #isOver = false;
  #missedBeats = 0;
  #frames = 0;
  #windowEndsAtMs = 0;

  constructor(socket: WebSocket, pass: Pass, around: HubContext) {
    this.user = pass.user;
    this.rights = pass.groups;
    this.done = new RecentAcks(around.limits.ackIds);
    this.#socket = socket;
    this.#around = around;
    // Ends up to a tenth earlier, at random, so that pages which connected together after a restart do not all
    // reconnect together.
    this.#endsAtMs = around.clock.now().getTime() + around.limits.lifeMs * (1 - Math.random() / 10);
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('pong', () => this.#hear());
    socket.on('close', () => this.#end());
    // After an error (a frame that is too long or broken, a reset) `ws` closes by itself with the right code.
    socket.on('error', () => {
      this.#end();
      cutAfter(around.limits.closeMs, socket);
    });
  }

  /** The client waits for this frame before it joins anything. */
  greet(): void {
    this.send(connected(this));
  }

  join(group: string): void {
    this.#around.join(this, group);
  }

  leave(group: string): void {
    this.#around.leave(this, group);
  }

  /** A Buffer is sent as it is, so a frame for many receivers is encoded once. */
  send(frame: string | Buffer): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.send(frame, { binary: false });
    // A close frame would only queue behind the data that the client does not read.
    if (this.#socket.bufferedAmount > this.#around.limits.pendingBytes) this.#cut('slow-reader');
  }

  /**
   * Called every `heartbeatMs`. Two beats must be missed, because after a pause of the whole process answers may still
   * be unread.
   */
  beat(): void {
    if (this.#missedBeats >= 2) this.#cut('silent');
    else if (this.#around.clock.now().getTime() >= this.#endsAtMs) this.dismiss(1000, 'Time to renew the token');
    else {
      this.#missedBeats++;
      this.#socket.ping();
    }
  }

  dismiss(code: number, message: string, cutOff?: CutOff): void {
    if (this.#isOver) return;
    this.send(disconnected(message));
    this.#end(cutOff);
    closeWithin(this.#around.limits.closeMs, this.#socket, code, message);
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isOver) return;
    this.#hear();
    const frame = isBinary ? null : readFrame(data.toString());
    if (this.#isTooMuch()) this.dismiss(1008, 'Too many frames', 'too-many-frames');
    else if (isBinary) this.dismiss(1003, 'Only text frames', 'binary-frame');
    else if (!frame) this.dismiss(1007, 'Not a frame of this protocol', 'malformed-frame');
    else {
      const reply = answer(frame, this);
      if (reply !== null) this.send(reply);
    }
  }

  #hear(): void {
    this.#missedBeats = 0;
  }

  #isTooMuch(): boolean {
    const now = this.#around.clock.now().getTime();
    if (now >= this.#windowEndsAtMs) {
      this.#windowEndsAtMs = now + this.#around.limits.frameWindowMs;
      this.#frames = 0;
    }
    this.#frames++;
    return this.#frames > this.#around.limits.framesPerWindow;
  }

  #cut(reason: CutOff): void {
    this.#end(reason);
    this.#socket.terminate();
  }

  #end(cutOff?: CutOff): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#around.onEnd(this, cutOff);
  }
}

/** Closes with a handshake; a peer that does not answer it in time is cut off. */
export function closeWithin(ms: number, socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  cutAfter(ms, socket);
}

function cutAfter(ms: number, socket: WebSocket): void {
  const timer = setTimeout(() => socket.terminate(), ms);
  socket.once('close', () => clearTimeout(timer));
}
