import type { RPCClient } from 'ocpp-rpc';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ago, answerCalls, eventually, type GatewayFixture, startGateway } from '../testing/gateway.ts';

let gateway: GatewayFixture;
let nowMs = Date.now();
let chargePoint: Awaited<ReturnType<GatewayFixture['addChargePoint']>>;
let client: RPCClient;
let received: string[];

beforeAll(async () => {
  gateway = await startGateway({ clock: { now: () => new Date(nowMs) }, timings: { settleMs: 0, tickMs: 1_000_000 } });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  chargePoint = await gateway.addChargePoint();
  client = await gateway.connect(chargePoint);
  received = [];
  answerCalls(client, (method, { type, requestedMessage }) => {
    received.push([method, type ?? requestedMessage].filter(Boolean).join(' '));
    return { status: method === 'UnlockConnector' ? 'Unlocked' : 'Accepted', configurationKey: [] };
  });
  await gateway.boot(client);
  await eventually(() => received.includes('TriggerMessage StatusNotification'));
  received.length = 0;
});

const tell = (status: string) => client.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status });
const forward = (seconds: number) => {
  nowMs += seconds * 1000;
  gateway.dueWork.wake('stuck-connector');
};

test('field problem 25: a connector that stays faulted is triggered again, then switched off and on, then left to staff', async () => {
  await tell('Faulted');
  forward(21);
  await eventually(() => received.length === 1);
  forward(120);
  await eventually(() => received.length === 3);
  forward(3600);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(received).toEqual([
    'TriggerMessage StatusNotification',
    'ChangeAvailability Inoperative',
    'ChangeAvailability Operative',
  ]);
});

test('field problem 25: Finishing lasts an hour before the cable is unlocked', async () => {
  await tell('Finishing');
  forward(4 * 60);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(received).toEqual([]);
  forward(2 * 60);
  await eventually(() => received.length === 1);
  forward(10 * 60);
  await eventually(() => received.length === 3);
  forward(45 * 60);
  await eventually(() => received.length === 4);
  expect(received.at(-1)).toBe('UnlockConnector');
});

test('a connector that recovers gets no further remedies, and one that relapses continues with the next', async () => {
  await tell('Faulted');
  forward(21);
  await eventually(() => received.length === 1);
  await tell('Available');
  forward(200);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(received).toHaveLength(1);
  await tell('Faulted');
  forward(121);
  await eventually(() => received.length === 3);
  expect(received.slice(1)).toEqual(['ChangeAvailability Inoperative', 'ChangeAvailability Operative']);
});

test('a running charge is never disturbed by the remedies', async () => {
  const start = { connectorId: 1, idTag: 'TAG', meterStart: 0, timestamp: ago(60).toISOString() };
  await client.call('StartTransaction', start);
  await tell('Faulted');
  forward(600);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(received).toEqual([]);
});

test('a socket without its own cable is never unlocked, because that would free the driver’s cable for anyone', async () => {
  await gateway.db
    .updateTable('connectors')
    .set({ has_cable: false })
    .where('id', 'in', chargePoint.connectorIds)
    .execute();
  await tell('Finishing');
  forward(6 * 60);
  await eventually(() => received.length === 1);
  forward(10 * 60);
  await eventually(() => received.length === 3);
  forward(45 * 60);
  await new Promise((resolve) => setTimeout(resolve, 300));
  forward(60 * 60);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(received).not.toContain('UnlockConnector');
});
