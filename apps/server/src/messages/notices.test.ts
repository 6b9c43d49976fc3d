import type { OperationStatus } from '@fpay/contract/charging';
import type { Language } from '@fpay/contract/person';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AccountServer, startAccountServer } from '../account/testing/accounts.ts';
import { addOperation } from '../testing/operation.ts';

let server: AccountServer;
let listening: { stop(): Promise<void> };
beforeAll(async () => {
  server = await startAccountServer({ isWorker: true });
  listening = server.messages.start(server.outbox);
});
afterAll(async () => {
  await listening.stop();
  await server.close();
});

let telegramId = 700_000_000;

async function linked(language: Language = 'en') {
  const { id } = await server.addUser();
  telegramId += 1;
  const chat = telegramId;
  const headers = { 'content-type': 'application/json' };
  const url = `${server.sandboxUrl}/telegram/users/${chat}/messages`;
  await fetch(url, { method: 'POST', headers, body: JSON.stringify({ text: 'hello' }) });
  await server.db.updateTable('users').set({ telegram_id: chat, language }).where('id', '=', id).execute();
  const received = async () => {
    const { messages } = (await (await fetch(url)).json()) as {
      messages: { text: string; from: { is_bot: boolean } }[];
    };
    return messages.filter(({ from }) => from.is_bot).map(({ text }) => text);
  };
  return { id, chat, heard: received };
}

/** Changes an operation as charging does: the status and its event in one step. */
const move = (operation: number, status: OperationStatus) =>
  server.steps.run(async (step) => {
    const changes = { status, energy_wh: 20_500, total: 292_50 };
    await step.db.updateTable('operations').set(changes).where('id', '=', operation).execute();
    step.publish('operation', operation);
  });
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000, interval: 100 });

test('the driver is notified once when charging starts and once when it ends, in their language [ACC-09]', async () => {
  const driver = await linked('pl');
  const operation = await addOperation(server, driver.id, 'starting');
  const { number } = await server.db
    .selectFrom('operations')
    .innerJoin('stations', 'stations.id', 'operations.station_id')
    .select('stations.number')
    .where('operations.id', '=', operation)
    .executeTakeFirstOrThrow();
  await move(operation, 'ongoing');
  const started = `⚡ Ładowanie rozpoczęte: stacja ${number}, operacja ${operation}.`;
  await eventually(async () => expect(await driver.heard()).toEqual([started]));
  for (let meter = 0; meter < 3; meter += 1) await move(operation, 'ongoing');
  await move(operation, 'finished');
  const ended = `✅ Ładowanie zakończone: stacja ${number}, 20,50 kWh, 292,50 ₴.`;
  await eventually(async () => expect(await driver.heard()).toEqual([started, ended]));
});

test('the driver is notified when charging fails [ACC-09]', async () => {
  const driver = await linked();
  const operation = await addOperation(server, driver.id, 'starting');
  await move(operation, 'failed');
  await eventually(async () =>
    expect(await driver.heard()).toEqual([expect.stringMatching(/^⚠️ Charging did not start/)]),
  );
});

test('the same event reported by charging, the listener and the sweep is one message', async () => {
  const driver = await linked();
  const operation = await addOperation(server, driver.id, 'ongoing');
  const tell = () => server.steps.run((step) => server.messages.notify(step, driver.id, 'started', { operation }));
  await Promise.all([tell(), tell(), tell()]);
  await move(operation, 'ongoing');
  await eventually(async () => expect(await driver.heard()).toHaveLength(1));
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pgboss.job
    where name = 'messages.telegram' and data->>'chat' = ${String(driver.chat)}`.execute(server.db);
  expect(rows).toEqual([{ count: 1 }]);
});

test('the sweep sends notifications that were missed: a charge that runs, then how it ended [ACC-09]', async () => {
  const driver = await linked();
  const operation = await addOperation(server, driver.id, 'ongoing');
  await server.messages.sweep();
  await eventually(async () =>
    expect(await driver.heard()).toEqual([expect.stringMatching(/^⚡ Charging has started/)]),
  );
  await server.db.updateTable('operations').set({ status: 'finished' }).where('id', '=', operation).execute();
  await server.messages.sweep();
  await server.messages.sweep();
  await eventually(async () => expect(await driver.heard()).toHaveLength(2));
  expect((await driver.heard())[1]).toMatch(/^✅ Charging has ended/);
});

test('a step that is rolled back sends nothing; a driver without the bot gets no message', async () => {
  const driver = await linked();
  const operation = await addOperation(server, driver.id, 'created');
  const undone = server.steps.run(async (step) => {
    await server.messages.notify(step, driver.id, 'failed', { operation });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  const { id } = await server.addUser();
  const other = await addOperation(server, id, 'created');
  await server.steps.run((step) => server.messages.notify(step, id, 'failed', { operation: other }));
  const notices = await server.db
    .selectFrom('notices')
    .select('operation_id')
    .where('operation_id', 'in', [operation, other])
    .execute();
  expect(notices).toEqual([]);
});
