import { getUser } from '@fpay/contract/account';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../testing/client.ts';
import { startWorld, type World } from '../testing/world.ts';

let world: World;
const beforeStart = Date.now();
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const patience = { timeout: 15_000, interval: 30 };
const balance = async (client: Client) => (await client.call(getUser)).body.balance;
const rowOf = (id: number) =>
  world.db
    .selectFrom('operations')
    .select(['status', 'start_phase', 'start_attempt', 'next_action_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** A driver who has paid 100 UAH from the balance and waits for the power. */
async function paidAt({ connector }: { connector: number }) {
  const { client } = await world.driver(100_00);
  const { body } = await world.pay(client, { connector, amount: '100' });
  return { client, id: Number(body.page_url.slice(2)) };
}

/** The gateway knows that the socket is gone; that the station is offline it will say only in a minute. */
async function hangUp({ device, identity }: Awaited<ReturnType<World['addScripted']>>): Promise<void> {
  await device.close();
  await vi.waitFor(async () => {
    const link = await world.db
      .selectFrom('charge_point_links')
      .innerJoin('charge_points', 'charge_points.id', 'charge_point_links.charge_point_id')
      .select(['node_id', 'is_online'])
      .where('identity', '=', identity)
      .executeTakeFirstOrThrow();
    expect(link).toEqual({ node_id: null, is_online: true });
  }, patience);
}

test('a station that was just reconnecting when the start was due is sent it as soon as it is back', async () => {
  const station = await world.addScripted();
  await hangUp(station);
  const { client, id } = await paidAt(station);
  const waiting = await vi.waitFor(async () => {
    const row = await rowOf(id);
    // What was never sent was no attempt.
    expect(row).toMatchObject({ status: 'starting', start_phase: 'offline', start_attempt: 0 });
    return row;
  }, patience);
  // The server has just come back itself: whoever lost the line with it has a minute.
  expect(Number(waiting.next_action_at)).toBeGreaterThanOrEqual(beforeStart + 60_000);
  const back = await station.connect();
  const { idTag } = await back.asked('RemoteStartTransaction');
  const { transactionId, idTagInfo } = await back.start(1, String(idTag), 1_000);
  expect(idTagInfo.status).toBe('Accepted');
  await back.stop(transactionId, 1_100);
  await world.until(client, id, 'finished');
  expect(await balance(client)).toBe(100_00 - 1_50);
});

test('a start whose answer was lost with the socket is asked for again when the station is back and does not charge', async () => {
  const station = await world.addScripted();
  station.device.replies.RemoteStartTransaction = () => new Promise(() => {});
  const { client, id } = await paidAt(station);
  await station.device.asked('RemoteStartTransaction');
  await hangUp(station);
  await vi.waitFor(async () => expect((await rowOf(id)).start_phase).toBe('lost'), patience);
  const beforeBack = Date.now();
  const back = await station.connect();
  // It may have accepted and be waiting for the plug: nothing more is asked of it before its own time for that is over.
  const waiting = await vi.waitFor(async () => {
    const row = await rowOf(id);
    expect(row).toMatchObject({ status: 'starting', start_phase: 'accepted', start_attempt: 1 });
    return row;
  }, patience);
  expect(Number(waiting.next_action_at)).toBeGreaterThan(beforeBack + 60_000);
  await sql`update operations set next_action_at = now() where id = ${id}`.execute(world.db);
  const { idTag } = await back.asked('RemoteStartTransaction');
  expect(await rowOf(id)).toMatchObject({ status: 'starting', start_attempt: 2 });
  const { transactionId, idTagInfo } = await back.start(1, String(idTag), 1_000);
  expect(idTagInfo.status).toBe('Accepted');
  await back.stop(transactionId, 1_100);
  await world.until(client, id, 'finished');
  expect(await balance(client)).toBe(100_00 - 1_50);
  await world.checkBooks();
});

test('an accepted start is sent again only after the station’s own ConnectionTimeOut and 15 s [MACH-10]', async () => {
  const station = await world.addScripted();
  // It is asked for its configuration when it comes; this one does not let ours be set.
  const kept = world.db.selectFrom('charge_points').select('configuration').where('identity', '=', station.identity);
  await vi.waitFor(async () => {
    expect((await kept.executeTakeFirstOrThrow()).configuration).toMatchObject({ values: { ConnectionTimeOut: '90' } });
  }, patience);
  await sql`update charge_points set configuration = jsonb_set(configuration, '{values,ConnectionTimeOut}', '"300"')
    where identity = ${station.identity}`.execute(world.db);
  const { client } = await world.driver(100_00);
  const beforeMs = Date.now();
  const { body } = await world.pay(client, { connector: station.connector, amount: '100' });
  const id = Number(body.page_url.slice(2));
  const accepted = await vi.waitFor(async () => {
    const row = await rowOf(id);
    expect(row.start_phase).toBe('accepted');
    return row;
  }, patience);
  expect(Number(accepted.next_action_at)).toBeGreaterThanOrEqual(beforeMs + 315_000);
  expect(Number(accepted.next_action_at)).toBeLessThanOrEqual(Date.now() + 315_000);
});

test('a station that accepted and then lost its line is not asked again before it is back and could tell what it did', async () => {
  const station = await world.addScripted();
  const { client, id } = await paidAt(station);
  const { idTag } = await station.device.asked('RemoteStartTransaction');
  await vi.waitFor(async () => expect((await rowOf(id)).start_phase).toBe('accepted'), patience);
  await hangUp(station);
  await sql`update operations set next_action_at = now() where id = ${id}`.execute(world.db);
  await vi.waitFor(async () => {
    expect(await rowOf(id)).toMatchObject({ status: 'starting', start_phase: 'lost', start_attempt: 1 });
  }, patience);

  // It is back with its start in the queue, behind other things: what was nearly due has to wait for that.
  await sql`update operations set start_phase = 'accepted', next_action_at = now() + interval '5 seconds' where id = ${id}`.execute(
    world.db,
  );
  const beforeBack = Date.now();
  const back = await station.connect();
  await vi.waitFor(async () => {
    expect(Number((await rowOf(id)).next_action_at)).toBeGreaterThanOrEqual(beforeBack + 30_000);
  }, patience);
  const { transactionId, idTagInfo } = await back.start(1, String(idTag), 1_000);
  expect(idTagInfo.status).toBe('Accepted');
  await back.stop(transactionId, 1_100);
  await world.until(client, id, 'finished');
  expect(await rowOf(id)).toMatchObject({ start_attempt: 1 });
  expect(await balance(client)).toBe(100_00 - 1_50);
  await world.checkBooks();
});

test('a station that accepted a start and refuses the next may be charging already: nothing is given up before it could tell', async () => {
  const station = await world.addScripted();
  const { client, id } = await paidAt(station);
  const { idTag } = await station.device.asked('RemoteStartTransaction');
  await vi.waitFor(async () => expect((await rowOf(id)).start_phase).toBe('accepted'), patience);
  station.device.replies.RemoteStartTransaction = async () => ({ status: 'Rejected' });
  await sql`update operations set next_action_at = now(), max_attempts = 2 where id = ${id}`.execute(world.db);
  await station.device.asked('RemoteStartTransaction');
  await vi.waitFor(async () => {
    expect(await rowOf(id)).toMatchObject({ status: 'starting', start_phase: 'accepted', start_attempt: 2 });
  }, patience);
  const { transactionId, idTagInfo } = await station.device.start(1, String(idTag), 1_000);
  expect(idTagInfo.status).toBe('Accepted');
  await station.device.stop(transactionId, 1_100);
  await world.until(client, id, 'finished');
  expect(await balance(client)).toBe(100_00 - 1_50);
});

test('a start whose answer was lost is given up five minutes after it was first sent, however often the line is lost meanwhile', async () => {
  const station = await world.addScripted();
  station.device.replies.RemoteStartTransaction = () => new Promise(() => {});
  const { client, id } = await paidAt(station);
  await station.device.asked('RemoteStartTransaction');
  const due = () => sql`update operations set next_action_at = now() where id = ${id}`.execute(world.db);
  const secondsLeft = async () => (Number((await rowOf(id)).next_action_at) - Date.now()) / 1_000;
  const phase = (start_phase: string) =>
    vi.waitFor(async () => expect(await rowOf(id)).toMatchObject({ status: 'starting', start_phase }), patience);
  await hangUp(station);
  await phase('lost');
  expect(await secondsLeft()).toBeGreaterThan(280);

  // It was sent four minutes ago, and every crash since then has cost the line once more.
  await sql`update operations set start_sent_at = now() - interval '4 minutes' where id = ${id}`.execute(world.db);
  const back = await station.connect();
  await phase('accepted');
  expect(await secondsLeft()).toBeLessThanOrEqual(90);
  await hangUp({ ...station, device: back });
  await due();
  await phase('lost');
  expect(await secondsLeft()).toBeLessThanOrEqual(60);

  // Back for the last time, without a transaction: the five minutes are over, so it is not asked once more.
  await sql`update operations set start_sent_at = now() - interval '310 seconds' where id = ${id}`.execute(world.db);
  const last = await station.connect();
  await phase('accepted');
  await due();
  expect(await world.until(client, id, 'failed')).toMatchObject({ payment_status: 'reversed' });
  expect(await balance(client)).toBe(100_00);
  expect(last.commands.some(({ action }) => action === 'RemoteStartTransaction')).toBe(false);
  await world.checkBooks();
});
