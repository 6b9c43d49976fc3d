import { type ConnectorType, connectorTypes } from '@fpay/contract/connectors';
import type { ConnectorStatus } from '@fpay/ocpp/v16/status-notification';
import { type Car, charge } from './car.ts';
import type { Timer } from './clock.ts';
import { statusOf } from './status.ts';

export interface ConnectorSpec {
  /** From 1. */
  id: number;
  type: ConnectorType;
  powerW: number;
}

export interface Transaction {
  /** Null until the central system answered the start; -1 when it never did. */
  id: number | null;
  readonly idTag: string;
  readonly meterStartWh: number;
  readonly startedAt: number;
  readonly timers: Set<Timer>;
}

/** A plug on a charge point: its cable, its meter and the car at it. */
export class Connector {
  readonly spec: ConnectorSpec;
  readonly isDc: boolean;
  /** The register, with the fractions that no report shows. */
  meterWh: number;
  powerW = 0;
  car: Car | null = null;
  /** Behind a passive adapter the charge point does not see a car before it charges. */
  isHidden = false;
  isFaulted = false;
  isOperative = true;
  /** To become inoperative when the transaction ends. */
  isClosing = false;
  authorisation: { idTag: string; timer: Timer } | null = null;
  transaction: Transaction | null = null;
  isSpent = false;
  /** The last status the central system was told. */
  reported: ConnectorStatus | null = null;
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

  get status(): ConnectorStatus {
    const { isFaulted, isOperative, isSpent, transaction, car } = this;
    return statusOf({
      isFaulted,
      isOperative,
      isSpent,
      isPlugged: car !== null && !this.isHidden,
      isAuthorised: this.authorisation !== null,
      inTransaction: transaction !== null,
      isHeldBack: this.#isHeldBack,
      isCarIdle: car === null || car.soc >= car.targetSoc,
    });
  }

  /** Power is on from now. */
  switchOn(now: number): void {
    this.#advancedAt = now;
    this.#flowingMs = 0;
    this.#isHeldBack = false;
  }

  switchOff(): void {
    this.powerW = 0;
    this.#isHeldBack = false;
  }

  /** Until when energy has been counted. */
  get advancedAt(): number {
    return this.#advancedAt;
  }

  /** Lets the energy flow that flowed since the last time. */
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
    const stretch = charge(this.car, this.isDc, offeredW, this.#flowingMs, duration);
    this.#flowingMs += duration;
    this.car = stretch.car;
    this.meterWh += stretch.energyWh;
    this.powerW = stretch.powerW;
  }
}
