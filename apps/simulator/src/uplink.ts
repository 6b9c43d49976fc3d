import { CallFailed, type CallOptions, type Link, type Message, type ReadResponseOf, type RequestOf } from '@fpay/ocpp';
import { BootNotification } from '@fpay/ocpp/v16/boot-notification';
import { Heartbeat } from '@fpay/ocpp/v16/heartbeat';
import type { Timer } from './clock.ts';
import { commandHandlers } from './commands.ts';
import { Connection } from './connection.ts';
import type { Device } from './device.ts';

/** Delay before the next boot when the previous one was not answered. */
const BOOT_RETRY_MS = 10_000;
/** Longest wait for an answer, in real milliseconds; shorter at high speed. */
const CALL_TIMEOUT_MS = { normal: 30_000, fast: 15_000 } as const;

/** Everything between a charge point and its central system: connection, boot, heartbeats and clock. */
export class Uplink {
  isBooted = false;
  readonly #chargePoint: Device;
  readonly #connection: Connection<Device>;
  #keepaliveTimers: Timer[] = [];
  /** The difference between the central system's clock and ours. */
  #clockOffsetMs: number | null = null;

  constructor(chargePoint: Device, url: string) {
    this.#chargePoint = chargePoint;
    this.#connection = new Connection<Device>({
      url,
      identity: chargePoint.identity,
      password: () => chargePoint.password,
      tls: chargePoint.tls,
      clock: chargePoint.clock,
      random: chargePoint.random,
      handlers: commandHandlers,
      context: chargePoint,
      onOpen: (link) => void this.#onOpen(link),
      onClose: () => {
        this.#stopKeepalive();
        chargePoint.changed();
      },
    });
  }

  get isConnected(): boolean {
    return this.#connection.link !== null;
  }

  /** True when connected and accepted, so that transactions may be reported. */
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
    this.#stopKeepalive();
    this.#connection.close();
  }

  /** The time of the charge point's own clock, which may be wrong. */
  timestamp(): string {
    const { clock, behaviour } = this.#chargePoint;
    return new Date(clock.stamp() + (this.#clockOffsetMs ?? 0) + behaviour.clockErrorMs).toISOString();
  }

  call<M extends Message>(message: M, request: RequestOf<M>): Promise<ReadResponseOf<M>> {
    return this.#link(message.action).call(message, request, this.#callOptions);
  }

  /** Sends the payload unchecked, because in some scenarios it violates the standard. */
  async callUnchecked(action: string, payload: object): Promise<unknown> {
    return this.#link(action).callUnchecked(action, payload, this.#callOptions);
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

  /**
   * Starts heartbeats and pings as configured; called again when the configuration changes. A ping only keeps the socket
   * open, so its interval is in real time: at 20 times the speed 400 charge points would send 270 a second.
   */
  startKeepalive(): void {
    this.#stopKeepalive();
    const { configuration, clock } = this.#chargePoint;
    // A heartbeat that fails means that the connection broke, which is handled elsewhere.
    this.#every(configuration.ms('HeartbeatInterval'), () => void this.heartbeat().catch(() => {}));
    this.#every(configuration.ms('WebSocketPingInterval') * clock.speed, () => this.#connection.link?.ping());
  }

  #every(everyMs: number, run: () => void): void {
    if (everyMs <= 0) return;
    const index = this.#keepaliveTimers.length;
    const beat = () => {
      run();
      this.#keepaliveTimers[index] = this.#chargePoint.after(everyMs, beat);
    };
    this.#keepaliveTimers.push(this.#chargePoint.after(everyMs, beat));
  }

  #stopKeepalive(): void {
    for (const pulse of this.#keepaliveTimers) pulse.cancel();
    this.#keepaliveTimers = [];
  }

  async #onOpen(link: Link<Device>): Promise<void> {
    while (!this.isBooted && link.isOpen) {
      try {
        await this.boot();
      } catch {
        if (link.isOpen) await this.#chargePoint.delay(BOOT_RETRY_MS);
      }
    }
    if (!link.isOpen) return;
    this.startKeepalive();
    this.#chargePoint.cameOnline();
  }

  #link(action: string): Link<Device> {
    const { link } = this.#connection;
    if (link === null) throw new CallFailed(action, 'closed', false, 'not connected');
    return link;
  }

  get #callOptions(): CallOptions {
    return { timeoutMs: this.#chargePoint.clock.speed === 1 ? CALL_TIMEOUT_MS.normal : CALL_TIMEOUT_MS.fast };
  }

  /** At high speed only the first answer sets the clock, because each later one would move the time back. */
  #setClock(currentTime: string): void {
    const { clock } = this.#chargePoint;
    if (this.#clockOffsetMs === null || clock.speed === 1)
      this.#clockOffsetMs = Date.parse(currentTime) - clock.stamp();
  }
}
