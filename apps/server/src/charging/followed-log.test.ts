import { afterAll, beforeAll, expect, test } from 'vitest';
import { keptLog } from '../testing/kept-log.ts';
import { type Stack, startStack } from '../testing/stack.ts';

const { log, lines } = keptLog();
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ log });
}, 60_000);
afterAll(() => stack.close());

test('one charge can be followed through the log by its number, from the payment to the receipt, with the calls about it', async () => {
  const { id, client, device, transactionId } = await stack.startCharge();
  await device.meter(1, transactionId, 1_050);
  await device.stop(transactionId, 1_100);
  await stack.until(client, id, 'finished');
  const about = lines.filter(({ operation }) => operation === id);
  const statuses = about.filter(({ msg }) => msg === 'operation status changed').map(({ status }) => status);
  expect(statuses).toEqual(expect.arrayContaining(['starting', 'ongoing', 'finished']));
  const kept = await stack.operations.log(id, true);
  expect(kept.length).toBeGreaterThan(1);
  const logged = about.filter(({ msg }) => msg === 'operation logged').map(({ text }) => text);
  expect(logged.sort()).toEqual(kept.map(({ text }) => text).sort());
  expect(about).toContainEqual(expect.objectContaining({ msg: 'request', path: `/api/operation/${id}`, status: 200 }));
}, 60_000);
