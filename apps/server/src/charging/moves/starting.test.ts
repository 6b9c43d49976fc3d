import { getUser } from '@fpay/contract/account';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { type MovedStack, startMovedStack } from '../../testing/stack.ts';

let stack: MovedStack;
const beforeStart = Date.now();
beforeAll(async () => {
  stack = await startMovedStack();
});
afterAll(() => stack.close());

const soon = { timeout: 15_000, interval: 30 };
const balance = async (client: Client) => (await client.call(getUser)).body.balance;
const rowOf = (id: number) =>
  stack.db
    .selectFrom('operations')
    .select(['status', 'start_phase', 'start_attempt', 'next_action_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** A driver who has paid 100 UAH from the balance and waits for the power. */
async function paidAt({ connector }: { connector: number }) {
  const { client } = await stack.driver(100_00);
  const { body } = await stack.pay(client, { connector, amount: '100' });
  return { client, id: Number(body.page_url.slice(2)) };
}

/** The gateway knows that the socket is closed; it reports the station as offline only after a minute. */
async function hangUp({ device, identity }: Awaited<ReturnType<MovedStack['addScripted']>>): Promise<void> {
  await device.close();
  await vi.waitFor(async () => {
    const link = await stack.db
      .selectFrom('charge_point_links')
      .innerJoin('charge_points', 'charge_points.id', 'charge_point_links.charge_point_id')
      .select(['node_id', 'is_online'])
      .where('identity', '=', identity)
      .executeTakeFirstOrThrow();
    expect(link).toEqual({ node_id: null, is_online: true });
  }, soon);
}

test('a station that was just reconnecting when the start was due gets it as soon as it is connected', async () => {
  const station = await stack.addScripted();
  await hangUp(station);
  const { client, id } = await paidAt(station);
  const waiting = await vi.waitFor(async () => {
    const row = await rowOf(id);
    // A start that was never sent does not count as an attempt.
    expect(row).toMatchObject({ status: 'starting', start_phase: 'offline', start_attempt: 0 });
    return row;
  }, soon);
  // The server has just restarted itself, so devices that lost their connection with it have a minute.
  expect(Number(waiting.next_action_at)).toBeGreaterThanOrEqual(beforeStart + 60_000);
  const back = await station.connect();
  const { idTag } = await back.asked('RemoteStartTransaction');
  const { transactionId, idTagInfo } = await back.start(1, String(idTag), 1_000);
  expect(idTagInfo.status).toBe('Accepted');
  await back.stop(transactionId, 1_100);
  await stack.until(client, id, 'finished');
  expect(await balance(client)).toBe(100_00 - 1_50);
});

test('a start whose answer was lost with the socket is sent again when the station reconnects and does not charge', async () => {
  const station = await stack.addScripted();
  station.device.replies.RemoteStartTransaction = () => new Promise(() => {});
  const { client, id } = await paidAt(station);
  await station.device.asked('RemoteStartTransaction');
  await hangUp(station);
  await vi.waitFor(async () => expect((await rowOf(id)).start_phase).toBe('lost'), soon);
  const beforeBack = Date.now();
  const back = await station.connect();
  // It may have accepted and be waiting for the plug, so nothing more is sent before its own ConnectionTimeOut is over.
  const waiting = await vi.waitFor(async () => {
    const row = await rowOf(id);
    expect(row).toMatchObject({ status: 'starting', start_phase: 'accepted', start_attempt: 1 });
    return row;
  }, soon);
  expect(Number(waiting.next_action_at)).toBeGreaterThan(beforeBack + 60_000);
  await sql`update operations set next_action_at = now() where id = ${id}`.execute(stack.db);
  const { idTag } = await back.asked('RemoteStartTransaction');
  expect(await rowOf(id)).toMatchObject({ status: 'starting', start_attempt: 2 });
  const { transactionId, idTagInfo } = await back.start(1, String(idTag), 1_000);
  expect(idTagInfo.status).toBe('Accepted');
  await back.stop(transactionId, 1_100);
  await stack.until(client, id, 'finished');
  expect(await balance(client)).toBe(100_00 - 1_50);
  await stack.checkBooks();
});

test('an accepted start is sent again only after the station’s own ConnectionTimeOut and 15 s [MACH-10]', async () => {
  const station = await stack.addScripted();
  // Its configuration is requested when it connects; this device does not accept ours.
  const kept = stack.db.selectFrom('charge_points').select('configuration').where('identity', '=', station.identity);
  await vi.waitFor(async () => {
    expect((await kept.executeTakeFirstOrThrow()).configuration).toMatchObject({ values: { ConnectionTimeOut: '90' } });
  }, soon);
  await sql`update charge_points set configuration = jsonb_set(configuration, '{values,ConnectionTimeOut}', '"300"')
    where identity = ${station.identity}`.execute(stack.db);
  const { client } = await stack.driver(100_00);
  const beforeMs = Date.now();
  const { body } = await stack.pay(client, { connector: station.connector, amount: '100' });
  const id = Number(body.page_url.slice(2));
  const accepted = await vi.waitFor(async () => {
    const row = await rowOf(id);
    expect(row.start_phase).toBe('accepted');
    return row;
  }, soon);
  expect(Number(accepted.next_action_at)).toBeGreaterThanOrEqual(beforeMs + 315_000);
  expect(Number(accepted.next_action_at)).toBeLessThanOrEqual(Date.now() + 315_000);
});

test('a station that accepted and then lost its connection does not get the start again before it has reconnected and could report what it did', async () => {
  const station = await stack.addScripted();
  const { client, id } = await paidAt(station);
  const { idTag } = await station.device.asked('RemoteStartTransaction');
  await vi.waitFor(async () => expect((await rowOf(id)).start_phase).toBe('accepted'), soon);
  await hangUp(station);
  await sql`update operations set next_action_at = now() where id = ${id}`.execute(stack.db);
  await vi.waitFor(async () => {
    expect(await rowOf(id)).toMatchObject({ status: 'starting', start_phase: 'lost', start_attempt: 1 });
  }, soon);

  // It has reconnected with its start in the queue, behind other messages; the step that was nearly due has to wait for
  // that.
  await sql`update operations set start_phase = 'accepted', next_action_at = now() + interval '5 seconds' where id = ${id}`.execute(
    stack.db,
  );
  const beforeBack = Date.now();
  const back = await station.connect();
  await vi.waitFor(async () => {
    expect(Number((await rowOf(id)).next_action_at)).toBeGreaterThanOrEqual(beforeBack + 30_000);
  }, soon);
  const { transactionId, idTagInfo } = await back.start(1, String(idTag), 1_000);
  expect(idTagInfo.status).toBe('Accepted');
  await back.stop(transactionId, 1_100);
  await stack.until(client, id, 'finished');
  expect(await rowOf(id)).toMatchObject({ start_attempt: 1 });
  expect(await balance(client)).toBe(100_00 - 1_50);
  await stack.checkBooks();
});

test('a station that accepted a start and refuses the next may be charging already: nothing is given up before it could report that', async () => {
  const station = await stack.addScripted();
  const { client, id } = await paidAt(station);
  const { idTag } = await station.device.asked('RemoteStartTransaction');
  await vi.waitFor(async () => expect((await rowOf(id)).start_phase).toBe('accepted'), soon);
  station.device.replies.RemoteStartTransaction = async () => ({ status: 'Rejected' });
  await sql`update operations set next_action_at = now(), max_attempts = 2 where id = ${id}`.execute(stack.db);
  await station.device.asked('RemoteStartTransaction');
  await vi.waitFor(async () => {
    expect(await rowOf(id)).toMatchObject({ status: 'starting', start_phase: 'accepted', start_attempt: 2 });
  }, soon);
  const { transactionId, idTagInfo } = await station.device.start(1, String(idTag), 1_000);
  expect(idTagInfo.status).toBe('Accepted');
  await station.device.stop(transactionId, 1_100);
  await stack.until(client, id, 'finished');
  expect(await balance(client)).toBe(100_00 - 1_50);
});

test('a start whose answer was lost is given up five minutes after it was first sent, however often the connection is lost meanwhile', async () => {
  const station = await stack.addScripted();
  station.device.replies.RemoteStartTransaction = () => new Promise(() => {});
  const { client, id } = await paidAt(station);
  await station.device.asked('RemoteStartTransaction');
  const due = () => sql`update operations set next_action_at = now() where id = ${id}`.execute(stack.db);
  const secondsLeft = async () => (Number((await rowOf(id)).next_action_at) - stack.clock.now().getTime()) / 1_000;
  const phase = (start_phase: string) =>
    vi.waitFor(async () => expect(await rowOf(id)).toMatchObject({ status: 'starting', start_phase }), soon);
  await hangUp(station);
  await phase('lost');
  expect(await secondsLeft()).toBeGreaterThan(280);

  // It was sent four minutes ago, and every crash since then has closed the connection once more.
  stack.ahead({ minutes: 4 });
  const back = await station.connect();
  await phase('accepted');
  expect(await secondsLeft()).toBeLessThanOrEqual(90);
  await hangUp({ ...station, device: back });
  await due();
  await phase('lost');
  expect(await secondsLeft()).toBeLessThanOrEqual(60);

  // It connects for the last time, without a transaction. The five minutes are over, so the start is not sent again.
  stack.ahead({ seconds: 70 });
  const last = await station.connect();
  await phase('accepted');
  await due();
  expect(await stack.until(client, id, 'failed')).toMatchObject({ payment_status: 'reversed' });
  expect(await balance(client)).toBe(100_00);
  expect(last.commands.some(({ action }) => action === 'RemoteStartTransaction')).toBe(false);
  await stack.checkBooks();
});
