import { type ConnectorType, connectorTypes } from '@fpay/contract/connectors';
import type { OcppConnectorStatus } from '@fpay/ocpp/v16/status-notification';
import { type Car, charge } from './car.ts';
import type { Timer } from './clock.ts';
import { statusOf } from './status.ts';

export interface ConnectorSpec {
  /** Numbered from 1. */
  id: number;
  type: ConnectorType;
  powerW: number;
}

export interface Transaction {
  /** Null until the central system has answered the start; -1 when it never answered. */
  id: number | null;
  readonly idTag: string;
  readonly meterStartWh: number;
  readonly startedAt: number;
  readonly timers: Set<Timer>;
}

/** A connector of a charge point with its cable, its meter and the connected car. */
export class Connector {
  readonly spec: ConnectorSpec;
  readonly isDc: boolean;
  /** The register with fractions, which are never reported. */
  meterWh: number;
  powerW = 0;
  car: Car | null = null;
  /** The car is behind a passive adapter, so the charge point does not detect it before it charges. */
  isHidden = false;
  isFaulted = false;
  isOperative = true;
  /** The connector becomes inoperative when the transaction ends. */
  isClosing = false;
  authorisation: { idTag: string; timer: Timer } | null = null;
  transaction: Transaction | null = null;
  isUnplugPending = false;
  /** The last status that was sent to the central system. */
  reported: OcppConnectorStatus | null = null;
  #isHeldBack = false;
  #advancedAt = 0;
  #flowingMs = 0;

  constructor(spec: ConnectorSpec, meterWh: number) {
    this.spec = spec;
    this.isDc = connectorTypes[spec.type].current === 'DC';
    this.meterWh = meterWh;
  }

  get isUsable(): boolean {
    return !this.isFaulted && this.isOperative && !this.isClosing;
  }

  get status(): OcppConnectorStatus {
    const { isFaulted, isOperative, isUnplugPending, transaction, car } = this;
    return statusOf({
      isFaulted,
      isOperative,
      isUnplugPending,
      isPlugged: car !== null && !this.isHidden,
      isAuthorised: this.authorisation !== null,
      inTransaction: transaction !== null,
      isHeldBack: this.#isHeldBack,
      isCarIdle: car === null || car.soc >= car.targetSoc,
    });
  }

  /** Switches the power on from `now`. */
  switchOn(now: number): void {
    this.#advancedAt = now;
    this.#flowingMs = 0;
    this.#isHeldBack = false;
  }

  switchOff(): void {
    this.powerW = 0;
    this.#isHeldBack = false;
  }

  /** The time up to which energy has been counted. */
  get advancedAt(): number {
    return this.#advancedAt;
  }

  /** Counts the energy since the last call. */
  advance(now: number, offeredW: number): void {
    const duration = now - this.#advancedAt;
    if (this.transaction === null || duration <= 0) return;
    this.#advancedAt = now;
    this.#isHeldBack = offeredW <= 0;
    if (this.car === null || this.#isHeldBack) {
      this.powerW = 0;
      this.#flowingMs = 0;
      return;
    }
    const interval = charge(this.car, this.isDc, offeredW, this.#flowingMs, duration);
    this.#flowingMs += duration;
    this.car = interval.car;
    this.meterWh += interval.energyWh;
    this.powerW = interval.powerW;
  }
}
