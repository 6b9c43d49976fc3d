import { generateKeyPairSync, sign } from 'node:crypto';
import fastify from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { banksOf } from '../banks.ts';
import { createMonobank } from '../monobank/bank.ts';
import { monobank } from '../monobank/terms.ts';
import type { Payment } from '../payment-row.ts';
import { type MoneyFixture, startMoney } from '../testing/money.ts';
import { webhookRoute } from './webhook.ts';

let money: MoneyFixture;
const app = fastify();
const registry = new Registry();
const looked: number[] = [];
const logged: { outcome?: string }[] = [];

/** A bank whose key is ours, so that the test can send what the bank would never send. */
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const signer = fastify();

beforeAll(async () => {
  money = await startMoney();
  const key = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64');
  signer.get('/api/merchant/pubkey', async () => ({ key }));
  const baseUrl = await signer.listen({ host: '127.0.0.1', port: 0 });
  webhookRoute(app, {
    banks: banksOf(createMonobank({ baseUrl, token: 'any', siteUrl: null, clock: money.clock })),
    payments: money.payments.store,
    savedCardPayment: money.payments.savedCardPayment,
    service: { lookNow: async (id) => void looked.push(id) },
    registry,
    log: pino({ level: 'warn' }, { write: (line) => void logged.push(JSON.parse(line)) }),
  });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await signer.close();
  await money.close();
});

const signed = (body: string) => sign('sha256', Buffer.from(body), privateKey).toString('base64');
const send = (payload: string, signature = signed(payload)) =>
  app.inject({
    method: 'POST',
    url: monobank.notificationPath,
    payload,
    headers: { 'content-type': 'application/json', 'x-sign': signature },
  });

function statusBody({ invoice }: Payment, changes: object = {}): string {
  const now = money.clock.now().toISOString();
  // With spaces that no serializer of ours writes, because the bytes are signed.
  return JSON.stringify(
    { invoiceId: invoice, status: 'success', amount: 100_00, ccy: 980, modifiedDate: now, ...changes },
    null,
    3,
  );
}

test('a notification that is forged, unreadable, of an unknown invoice, another sum or currency, or old is ignored, logged, counted, and moves no money', async () => {
  const held = await money.paidHold((await money.addUser()).id, 100_00);
  const said: [outcome: string, status: number, body: string, signature?: string][] = [
    ['forged', 403, statusBody(held), signed(statusBody(held, { amount: 1 }))],
    ['forged', 403, statusBody(held), ''],
    ['unreadable', 200, '{"invoiceId": 5}'],
    ['unreadable', 200, 'not json'],
    ['unreadable', 200, statusBody(held, { invoiceId: 'a\u0000b' })],
    ['unreadable', 200, statusBody(held, { invoiceId: 'a\ud800b' })],
    ['unknown_invoice', 200, statusBody(held, { invoiceId: '261115NobodyKnowsIt' })],
    ['wrong_amount', 200, statusBody(held, { amount: 1_00 })],
    ['wrong_amount', 200, statusBody(held, { ccy: 840 })],
    ['stale', 200, statusBody(held, { modifiedDate: '2026-11-15T09:59:59Z' })],
  ];
  for (const [outcome, status, body, signature] of said) {
    const before = await counted(outcome);
    const { statusCode } = await send(body, signature);
    expect([outcome, statusCode, await counted(outcome)]).toEqual([outcome, status, before + 1]);
  }
  expect(logged.map(({ outcome }) => outcome)).toEqual(said.map(([outcome]) => outcome));
  expect(looked).toEqual([]);
  expect(await money.payment(held.id)).toEqual(held);

  // Even a genuine one is only a hint to read the status: it says 'success', and nothing is captured. Characters that
  // cannot be stored, in a text that we do not use, do not make it invalid.
  const odd = statusBody(held, { failureReason: 'a\u0000b' });
  expect([(await send(odd)).statusCode, await counted('taken')]).toEqual([200, 1]);
  expect(looked).toEqual([held.id]);
  expect(await money.payment(held.id)).toEqual(held);
  expect(await money.faults()).toEqual([]);
});

async function counted(outcome: string): Promise<number> {
  const text = await registry.getSingleMetricAsString('fpay_bank_webhooks_total');
  return Number(new RegExp(`outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
}
