import { samplesOf, v16 } from '@fpay/ocpp';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { typicalCar } from '../car.ts';
import { type ChargePoint, type ChargePointOptions, createSimulatedChargePoint } from '../charge-point.ts';
import { createClock } from '../clock.ts';
import type { ScenarioName } from '../scenario.ts';
import { type CentralSystem, startCentralSystem } from './central-system.ts';

/** Test fixture with one charge point and its central system, for each test of a file that calls `useBench`. */
export let central: CentralSystem;
export let chargePoint: ChargePoint;

// An hour passes in six seconds: slow enough for messages to arrive in order, fast enough for a test.
export const SPEED = 600;

/** Called by a test file. Files share this module, so importing it is not enough. */
export function useBench(): void {
  beforeEach(async () => {
    central = await startCentralSystem();
  });

  afterEach(async () => {
    chargePoint.stop();
    await central.stop();
  });
}

/** Switches a charge point on without waiting. */
export function install(scenario: ScenarioName = 'normal', options: Partial<ChargePointOptions> = {}): void {
  chargePoint = createSimulatedChargePoint({
    url: central.url,
    identity: 'CP1',
    password: central.password,
    connectors: [
      { id: 1, type: 'ccstype2', powerW: 60_000 },
      { id: 2, type: 'type2', powerW: 22_000 },
    ],
    scenario,
    clock: createClock({ speed: SPEED }),
    ...options,
    configuration: { MeterValueSampleInterval: '10', ...options.configuration },
  });
  chargePoint.start();
}

/** Switches a charge point on and waits until it is connected and accepted. */
export async function power(scenario?: ScenarioName, options?: Partial<ChargePointOptions>): Promise<void> {
  install(scenario, options);
  await chargePoint.until(({ isBooted, isConnected }) => isBooted && isConnected);
}

/** Stops the central system and starts an empty one at the same address. */
export async function restartCentral(): Promise<void> {
  const port = Number(new URL(central.url).port);
  await central.stop();
  await chargePoint.until(({ isConnected }) => !isConnected);
  central = await startCentralSystem({ port });
}

export function connector(id = 1) {
  const found = chargePoint.view().connectors.find((one) => one.id === id);
  if (found === undefined) throw new Error('no such connector');
  return found;
}

export const untilStatus = (status: string, id = 1) =>
  chargePoint.until(({ connectors }) => connectors[id - 1]?.status === status);

export const untilReceived = (action: string, count: number) =>
  vi.waitFor(
    () => expect(central.actions().filter((one) => one === action).length).toBeGreaterThanOrEqual(count),
    10_000,
  );

/** The statuses of a connector that the central system received. */
export const statuses = (id = 1) =>
  central
    .requests(v16.StatusNotification)
    .filter(({ connectorId }) => connectorId === id)
    .map(({ status }) => status);

export const remoteStart = (connectorId = 1) =>
  central.link().call(v16.RemoteStartTransaction, { idTag: 'TAG', connectorId });

/** Plugs a car in, starts it by the central system, and returns the transaction id. */
export async function startCharging(id = 1): Promise<number> {
  chargePoint.plug(id, { car: typicalCar() });
  expect(await remoteStart(id)).toEqual({ status: 'Accepted' });
  const { connectors } = await chargePoint.until(
    ({ connectors }) => typeof connectors[id - 1]?.transaction?.id === 'number',
  );
  return connectors[id - 1]?.transaction?.id ?? 0;
}

/** The transaction messages on the wire, in order. */
export const transactionMessages = () =>
  central.actions().filter((action) => ['StartTransaction', 'MeterValues', 'StopTransaction'].includes(action));

export const meterSamples = () =>
  central.requests(v16.MeterValues).flatMap(({ meterValue }) => samplesOf(meterValue).samples);
