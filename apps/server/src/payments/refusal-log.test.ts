import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { redaction } from '../platform/watching/logging.ts';
import { type MoneyFixture, startMoney } from './testing/money.ts';

const lines: string[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk));
    done();
  },
});

let money: MoneyFixture;
beforeAll(async () => {
  money = await startMoney({ log: pino({ level: 'info', base: null, redact: redaction }, sink) });
});
afterAll(() => money.close());

test('the log shows the code with which the bank refused a capture', async () => {
  const user = await money.addUser();
  const held = await money.paidHold(user.id, 100_00);
  await money.switchBank({ reference: `FPAY-${held.id}`, finalize: 'refused:1408' });
  await money.capture(held.id, 60_00);
  await money.runDue();
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(logged).toContainEqual(expect.objectContaining({ payment: held.id, wanted: 'capture', bankCode: '1408' }));
});
