import { CallFailed, type CallOptions, type Link, type Message, type ReadResponseOf, type RequestOf } from '@fpay/ocpp';
import { BootNotification } from '@fpay/ocpp/v16/boot-notification';
import { Heartbeat } from '@fpay/ocpp/v16/heartbeat';
import type { ChargePoint } from './charge-point.ts';
import type { Timer } from './clock.ts';
import { commandHandlers } from './commands.ts';
import { Connection } from './connection.ts';

/** What a charge point without an answer to its boot does next. */
const BOOT_RETRY_MS = 10_000;
/** Longest wait for an answer, in real milliseconds; a fast world is shorter of patience. */
const CALL_TIMEOUT_MS = { normal: 30_000, fast: 15_000 } as const;

/** A charge point's dealings with its central system: connecting, booting, heartbeats, and the time of day. */
export class Uplink {
  isBooted = false;
  readonly #chargePoint: ChargePoint;
  readonly #connection: Connection<ChargePoint>;
  #pulses: Timer[] = [];
  /** What the central system's clock says more than ours. */
  #clockOffsetMs: number | null = null;

  constructor(chargePoint: ChargePoint, url: string) {
    this.#chargePoint = chargePoint;
    this.#connection = new Connection<ChargePoint>({
      url,
      identity: chargePoint.identity,
      password: () => chargePoint.password,
      clock: chargePoint.clock,
      random: chargePoint.random,
      handlers: commandHandlers,
      context: chargePoint,
      onOpen: (link) => void this.#onOpen(link),
      onClose: () => {
        this.#stopPulses();
        chargePoint.changed();
      },
    });
  }

  get isConnected(): boolean {
    return this.#connection.link !== null;
  }

  /** Connected and accepted: may talk of transactions. */
  get isOnline(): boolean {
    return this.isBooted && this.isConnected;
  }

  connect(): void {
    this.#connection.connect();
  }

  cut(): void {
    this.#connection.cut();
  }

  close(): void {
    this.#stopPulses();
    this.#connection.close();
  }

  /** What the charge point's own clock shows, right or wrong. */
  timestamp(): string {
    const { clock, behaviour } = this.#chargePoint;
    return new Date(clock.stamp() + (this.#clockOffsetMs ?? 0) + behaviour.clockErrorMs).toISOString();
  }

  call<M extends Message>(message: M, request: RequestOf<M>): Promise<ReadResponseOf<M>> {
    return this.#link(message.action).call(message, request, this.#patience);
  }

  /** As it is, right or wrong: what a charge point of some scenarios says is not of the standard. */
  async callUnchecked(action: string, payload: object): Promise<unknown> {
    return this.#link(action).callUnchecked(action, payload, this.#patience);
  }

  async boot(): Promise<void> {
    const { identity, configuration } = this.#chargePoint;
    const { status, currentTime, interval } = await this.call(BootNotification, {
      chargePointVendor: 'FPay',
      chargePointModel: 'Simulated',
      chargePointSerialNumber: identity.slice(0, 25),
      firmwareVersion: '1.0.0',
    });
    this.#setClock(currentTime);
    if (status !== 'Accepted') {
      await this.#chargePoint.delay(interval > 0 ? interval * 1000 : BOOT_RETRY_MS);
      return;
    }
    if (interval > 0) configuration.change('HeartbeatInterval', String(interval));
    this.isBooted = true;
  }

  async heartbeat(): Promise<void> {
    const { currentTime } = await this.call(Heartbeat, {});
    this.#setClock(currentTime);
  }

  /** Heartbeats and pings as configured; called again when that changes. */
  startPulses(): void {
    this.#stopPulses();
    const { configuration } = this.#chargePoint;
    // A beat that fails is a connection that broke: its end is told elsewhere.
    this.#pulse(configuration.ms('HeartbeatInterval'), () => void this.heartbeat().catch(() => {}));
    this.#pulse(configuration.ms('WebSocketPingInterval'), () => this.#connection.link?.ping());
  }

  #pulse(everyMs: number, run: () => void): void {
    if (everyMs <= 0) return;
    const index = this.#pulses.length;
    const beat = () => {
      run();
      this.#pulses[index] = this.#chargePoint.after(everyMs, beat);
    };
    this.#pulses.push(this.#chargePoint.after(everyMs, beat));
  }

  #stopPulses(): void {
    for (const pulse of this.#pulses) pulse.cancel();
    this.#pulses = [];
  }

  async #onOpen(link: Link<ChargePoint>): Promise<void> {
    while (!this.isBooted && link.isOpen) {
      try {
        await this.boot();
      } catch {
        if (link.isOpen) await this.#chargePoint.delay(BOOT_RETRY_MS);
      }
    }
    if (!link.isOpen) return;
    this.startPulses();
    this.#chargePoint.cameOnline();
  }

  #link(action: string): Link<ChargePoint> {
    const { link } = this.#connection;
    if (link === null) throw new CallFailed(action, 'closed', false, 'not connected');
    return link;
  }

  get #patience(): CallOptions {
    return { timeoutMs: this.#chargePoint.clock.speed === 1 ? CALL_TIMEOUT_MS.normal : CALL_TIMEOUT_MS.fast };
  }

  /** In a world that runs faster than the server's only the first word counts, or time would jump back with each beat. */
  #setClock(currentTime: string): void {
    const { clock } = this.#chargePoint;
    if (this.#clockOffsetMs === null || clock.speed === 1)
      this.#clockOffsetMs = Date.parse(currentTime) - clock.stamp();
  }
}
