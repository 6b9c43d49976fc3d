import type { RPCClient } from 'ocpp-rpc';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answerCalls, eventually, type GatewayFixture, startGateway } from '../testing/gateway.ts';
import type { WishDecision } from './wishes.ts';

let gateway: GatewayFixture;
let chargePoint: Awaited<ReturnType<GatewayFixture['addChargePoint']>>;
let decisions: WishDecision[] = [];
let decided: number[] = [];

beforeAll(async () => {
  gateway = await startGateway({
    timings: { stopQuietMs: 100, quietMs: 700, settleMs: 20 },
    wishes: {
      stop: {
        async decide(step, { chargePointId, subject }) {
          decided.push(subject);
          const payload = { transactionId: subject };
          await gateway.commands.order(step, { chargePointId, action: 'RemoteStopTransaction', payload });
          return decisions.shift() ?? 'keep';
        },
      },
    },
  });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  chargePoint = await gateway.addChargePoint();
  decisions = [];
  decided = [];
});

const wishes = () =>
  gateway.db
    .selectFrom('device_wishes')
    .select(['subject', 'next_action_at'])
    .where('charge_point_id', '=', chargePoint.id)
    .execute();
const want = (subject: number, more: { wantedUntil?: Date } = {}) =>
  gateway.steps.run((step) =>
    gateway.wishes.want(step, { chargePointId: chargePoint.id, kind: 'stop', subject, ...more }),
  );
const rows = (action: string) =>
  gateway.db
    .selectFrom('commands')
    .select(['status', 'attempts'])
    .where('charge_point_id', '=', chargePoint.id)
    .where('action', '=', action)
    .orderBy('id')
    .execute();

/** A device that lists what it received, and when after the connect. */
async function connect(answer: (action: string) => object | Promise<object> = () => ({ status: 'Accepted' })) {
  const client: RPCClient = await gateway.connect(chargePoint);
  const at = Date.now();
  const received: { action: string; afterMs: number }[] = [];
  answerCalls(client, (action) => {
    received.push({ action, afterMs: Date.now() - at });
    return answer(action);
  });
  const stops = () => received.filter(({ action }) => action === 'RemoteStopTransaction');
  return { client, received, stops };
}

async function leave({ client }: { client: RPCClient }): Promise<void> {
  await client.close({ force: true } as never);
  await eventually(async () => (await gateway.link(chargePoint.id)).node_id === null);
}

test('a wish is decided at each connect until it is done; wanting it twice is one wish', async () => {
  await want(7);
  await want(7);
  decisions = ['keep', 'done'];
  for (let count = 1; count <= 3; count += 1) {
    const device = await connect();
    const due = Math.min(count, 2);
    await eventually(() => decided.length === due && device.stops().length === (count <= 2 ? 1 : 0));
    await leave(device);
  }
  expect(decided).toEqual([7, 7]);
  expect(await wishes()).toEqual([]);
});

test('a wish whose time is over makes nothing and is dropped', async () => {
  await want(8, { wantedUntil: new Date(Date.now() - 1_000) });
  await connect();
  await eventually(async () => (await wishes()).length === 0);
  expect(decided).toEqual([]);
});

test('a wish that is decided again at a time does not wait for the next connect', async () => {
  await want(9);
  decisions = [{ keepUntil: new Date(Date.now() + 300) }, 'done'];
  await connect();
  await eventually(() => decided.length === 2);
  await eventually(async () => (await wishes()).length === 0);
});

test('a command that was not sent on its connection ends as offline and is not sent on the next one', async () => {
  const first = await connect();
  const { id } = chargePoint;
  const sending = gateway.commands.send({ chargePointId: id, action: 'ClearCache', payload: {} });
  await eventually(async () => (await rows('ClearCache')).length === 1);
  await first.client.close({ force: true } as never);
  const second = await connect();
  expect(await sending).toMatchObject({ status: 'offline', wasSent: false });
  await eventually(() => second.received.some(({ action }) => action === 'TriggerMessage'));
  expect(second.received.filter(({ action }) => action === 'ClearCache')).toEqual([]);
});

test('a stop is sent before a device that reconnects has booted; one that ignores it gets it again when it is ready', async () => {
  await want(10);
  const answers = [new Promise<object>(() => {}), { status: 'Accepted' }];
  const device = await connect((action) =>
    action === 'RemoteStopTransaction' ? (answers.shift() ?? { status: 'Accepted' }) : { status: 'Accepted' },
  );
  await eventually(() => device.stops().length === 2);
  expect(device.stops()[0]?.afterMs).toBeLessThan(700);
  await eventually(async () => (await rows('RemoteStopTransaction')).at(-1)?.status === 'answered');
});

test('field problem 8: a device that closes its socket because of an early stop gets no third one before it is ready', async () => {
  await want(11);
  for (let count = 1; count <= 2; count += 1) {
    const device = await connect((action) => {
      if (action === 'RemoteStopTransaction') void device.client.close({ force: true } as never);
      return new Promise<object>(() => {});
    });
    await eventually(() => device.stops().length > 0);
    await eventually(async () => (await gateway.link(chargePoint.id)).node_id === null);
  }
  const patient = await connect();
  await eventually(() => patient.stops().length > 0);
  expect(patient.stops()[0]?.afterMs).toBeGreaterThanOrEqual(600);
});
