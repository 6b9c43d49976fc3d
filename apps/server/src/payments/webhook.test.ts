import fastify from 'fastify';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BankHint } from './bank.ts';
import { type Money, startMoney } from './money.test-support.ts';
import { webhookPath, webhookRoute } from './webhook.ts';

let money: Money;
const app = fastify();
const registry = new Registry();
const looked: number[] = [];
let hint: BankHint | 'forged' | 'unreadable' = 'forged';

beforeAll(async () => {
  money = await startMoney();
  webhookRoute(app, {
    // Signed by the bank, as far as this test goes; what it says is what counts here.
    bank: { ...money.bank, hint: async () => hint },
    payments: money.payments.store,
    service: { lookNow: async (id) => void looked.push(id) },
    registry,
    log: money.log,
  });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await money.close();
});

test('a notification of an unknown invoice, another sum or currency, or of old news is put aside, counted, and moves nothing', async () => {
  const held = await money.paidHold((await money.addUser()).id, 100_00);
  const genuine = {
    invoice: held.invoice ?? '',
    amount: 100_00,
    currency: 980,
    modifiedAt: new Date(money.clock.now()),
  };
  const said: [string, BankHint | 'unreadable' | 'forged', number][] = [
    ['forged', 'forged', 403],
    ['unreadable', 'unreadable', 200],
    ['unknown_invoice', { ...genuine, invoice: '261115NobodyKnowsIt' }, 200],
    ['wrong_amount', { ...genuine, amount: 1_00 }, 200],
    ['wrong_amount', { ...genuine, currency: 840 }, 200],
    ['stale', { ...genuine, modifiedAt: new Date(0) }, 200],
  ];
  for (const [outcome, claim, status] of said) {
    hint = claim;
    const before = await counted(outcome);
    const answer = await app.inject({ method: 'POST', url: webhookPath, payload: { any: 'thing' } });
    expect([outcome, answer.statusCode, await counted(outcome)]).toEqual([outcome, status, before + 1]);
  }
  expect(looked).toEqual([]);
  hint = genuine;
  expect((await app.inject({ method: 'POST', url: webhookPath, payload: {} })).statusCode).toBe(200);
  expect(looked).toEqual([held.id]);
  expect(await money.payment(held.id)).toMatchObject({ state: 'hold', captured: 0 });
});

async function counted(outcome: string): Promise<number> {
  const text = await registry.getSingleMetricAsString('fpay_bank_webhooks_total');
  return Number(new RegExp(`outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
}
