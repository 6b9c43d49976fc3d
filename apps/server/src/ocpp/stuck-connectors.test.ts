import type { RPCClient } from 'ocpp-rpc';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ago, answerCalls, eventually, type GatewayFixture, startGateway } from './gateway.test-support.ts';

let gateway: GatewayFixture;
let nowMs = Date.now();
let chargePoint: Awaited<ReturnType<GatewayFixture['addChargePoint']>>;
let client: RPCClient;
let heard: string[];

beforeAll(async () => {
  gateway = await startGateway({ clock: { now: () => new Date(nowMs) }, timings: { settleMs: 0, tickMs: 1_000_000 } });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  chargePoint = await gateway.addChargePoint();
  client = await gateway.connect(chargePoint);
  heard = [];
  answerCalls(client, (method, { type, requestedMessage }) => {
    heard.push([method, type ?? requestedMessage].filter(Boolean).join(' '));
    return { status: method === 'UnlockConnector' ? 'Unlocked' : 'Accepted', configurationKey: [] };
  });
  await gateway.boot(client);
  await eventually(() => heard.includes('TriggerMessage StatusNotification'));
  heard.length = 0;
});

const tell = (status: string) => client.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status });
const forward = (seconds: number) => {
  nowMs += seconds * 1000;
  gateway.dueWork.wake('stuck-connector');
};

test('field problem 25: a connector that stays faulted is asked again, then switched off and on, then left to staff', async () => {
  await tell('Faulted');
  forward(21);
  await eventually(() => heard.length === 1);
  forward(120);
  await eventually(() => heard.length === 3);
  forward(3600);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(heard).toEqual([
    'TriggerMessage StatusNotification',
    'ChangeAvailability Inoperative',
    'ChangeAvailability Operative',
  ]);
});

test('field problem 25: Finishing is given an hour before the cable is let go', async () => {
  await tell('Finishing');
  forward(4 * 60);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(heard).toEqual([]);
  forward(2 * 60);
  await eventually(() => heard.length === 1);
  forward(10 * 60);
  await eventually(() => heard.length === 3);
  forward(45 * 60);
  await eventually(() => heard.length === 4);
  expect(heard.at(-1)).toBe('UnlockConnector');
});

test('a connector that recovers is left alone, and one that relapses goes on where it was', async () => {
  await tell('Faulted');
  forward(21);
  await eventually(() => heard.length === 1);
  await tell('Available');
  forward(200);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(heard).toHaveLength(1);
  await tell('Faulted');
  forward(121);
  await eventually(() => heard.length === 3);
  expect(heard.slice(1)).toEqual(['ChangeAvailability Inoperative', 'ChangeAvailability Operative']);
});

test('a charge that runs is never disturbed by the ladder', async () => {
  const start = { connectorId: 1, idTag: 'TAG', meterStart: 0, timestamp: ago(60).toISOString() };
  await client.call('StartTransaction', start);
  await tell('Faulted');
  forward(600);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(heard).toEqual([]);
});

test('a socket without a cable of its own is never unlocked: it would free the driver’s cable for anybody', async () => {
  await gateway.db
    .updateTable('connectors')
    .set({ has_cable: false })
    .where('id', 'in', chargePoint.connectorIds)
    .execute();
  await tell('Finishing');
  forward(6 * 60);
  await eventually(() => heard.length === 1);
  forward(10 * 60);
  await eventually(() => heard.length === 3);
  forward(45 * 60);
  await new Promise((resolve) => setTimeout(resolve, 300));
  forward(60 * 60);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(heard).not.toContain('UnlockConnector');
});
