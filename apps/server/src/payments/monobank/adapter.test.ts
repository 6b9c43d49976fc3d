import fastify from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { freeTestPort } from '../../testing/server.ts';
import type { BankApi, BankNotification, Exchange } from '../bank.ts';
import { describeBank } from '../testing/adapter-suite.ts';
import { type MoneyFixture, startMoney } from '../testing/money.ts';
import { sandboxToken } from '../testing/wire-money.ts';
import { createMonobank } from './bank.ts';
import { monobank } from './terms.ts';

/**
 * The suite of all banks with the configured bank: the sandbox's, or with MONO_TEST_TOKEN the real one. The same cases
 * run against both, so the sandbox cannot deviate from the bank.
 */
const realToken = process.env.MONO_TEST_TOKEN;
const token = realToken ?? sandboxToken;
let money: MoneyFixture | null = null;
let bank: BankApi;
const exchanges: Exchange[] = [];
const received: BankNotification[] = [];
const site = fastify();

beforeAll(async () => {
  if (!realToken) money = await startMoney({ isFiscal: true });
  site.removeAllContentTypeParsers();
  site.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  site.post(monobank.notificationPath, async ({ body, headers }) => {
    received.push({ body: body as Buffer, headers });
    return {};
  });
  const siteUrl = new URL(await site.listen({ host: '127.0.0.1', port: await freeTestPort() }));
  bank = createMonobank({
    baseUrl: money?.bankUrl ?? monobank.url,
    token,
    siteUrl: realToken ? null : siteUrl,
    clock: { now: () => new Date() },
    onExchange: (exchange) => void exchanges.push(exchange),
  });
});
afterAll(async () => {
  await site.close();
  await money?.close();
});

const signature = 'MEUCIQDq8Kt7XyBrUMTw1O8I4mTnZ2w8zU3Q0bXcYQWUj5i9pAIgC0m0rj1lNqQ4bH9g4x2b1Q==';

function payerOf({ atBank, manual }: MoneyFixture) {
  return {
    pay: (invoice: string) => atBank(invoice, 'pay'),
    decline: (invoice: string, errCode: string) => atBank(invoice, 'decline', { errCode }),
    pass: () => manual.advance(2_000),
    async notified(invoice: string) {
      manual.advance(2_000);
      const of = () => received.findLast(({ body }) => body.includes(invoice));
      for (;;) {
        const notification = of();
        if (notification) return notification;
        await new Promise((resume) => setImmediate(resume));
      }
    },
  };
}

describeBank('monobank', () => ({
  bank,
  exchanges,
  secrets: [token],
  forged: (invoice) =>
    [{ 'x-sign': signature }, {}].map((headers) => ({
      body: Buffer.from(JSON.stringify({ invoiceId: invoice, status: 'hold', amount: 1, ccy: 980 })),
      headers,
    })),
  payer: money && payerOf(money),
}));
