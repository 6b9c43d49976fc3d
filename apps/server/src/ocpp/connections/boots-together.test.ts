import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchTransactions } from '../../testing/statement-log.ts';
import { answerCalls, eventually, type GatewayFixture, startGateway } from '../testing/gateway.ts';

let gateway: GatewayFixture;
const seen = watchTransactions();
beforeAll(async () => {
  gateway = await startGateway({ timings: { settleMs: 300 } });
});
afterAll(async () => {
  seen.end();
  await gateway.stop();
});

const devices = 24;

test('devices that booted together share the statements about requesting their statuses', async () => {
  const chargePoints = await Promise.all(Array.from({ length: devices }, () => gateway.addChargePoint()));
  const clients = await Promise.all(chargePoints.map((chargePoint) => gateway.connect(chargePoint)));
  let requested = 0;
  for (const client of clients) {
    answerCalls(client, (method) => {
      if (method === 'GetConfiguration') return { configurationKey: [], unknownKey: [] };
      if (method === 'TriggerMessage') requested += 1;
      return { status: 'Accepted' };
    });
  }
  const before = seen.with(/triggers_ignored/).length;
  await Promise.all(clients.map((client) => gateway.boot(client)));
  await eventually(() => requested === devices);
  // One by one they took two for each device, beside those of the boots.
  expect(seen.with(/triggers_ignored/).length - before).toBeLessThan(devices);
});
