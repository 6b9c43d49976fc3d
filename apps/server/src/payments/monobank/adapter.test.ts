import { randomUUID } from 'node:crypto';
import { kopecks } from '@fpay/contract/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BankApi } from '../bank.ts';
import { type MoneyFixture, startMoney } from '../testing/money.ts';
import { sandboxToken } from '../testing/wire-money.ts';
import { createMonobank } from './bank.ts';
import type { Exchange } from './client.ts';

/**
 * What we rely on, tested with the configured bank: the sandbox's, or with MONO_TEST_TOKEN the real one. The same cases
 * run against both, so the sandbox cannot deviate from the bank.
 */
const realToken = process.env.MONO_TEST_TOKEN;
let money: MoneyFixture | null = null;
let bank: BankApi;
const exchanges: Exchange[] = [];

beforeAll(async () => {
  if (!realToken) money = await startMoney();
  bank = createMonobank({
    baseUrl: money?.bankUrl ?? 'https://api.monobank.ua',
    token: realToken ?? sandboxToken,
    webhookUrl: null,
    clock: { now: () => new Date() },
    onExchange: (exchange) => void exchanges.push(exchange),
  });
});
afterAll(() => money?.close());

function open(kind: 'hold' | 'debit', amount = 100_00, fiscal = false) {
  return bank.open({
    reference: `FPAY-TEST-${randomUUID()}`,
    amount: kopecks(amount),
    kind,
    description: 'Зарядка на станції F1001',
    redirectUrl: 'https://fpay.example/status/1',
    validSeconds: 900,
    fiscalItem: fiscal ? { name: 'Зарядка', code: 'EV-CHARGING', amount: kopecks(amount) } : null,
  });
}

async function opened(kind: 'hold' | 'debit', amount = 100_00): Promise<string> {
  const answer = await open(kind, amount);
  if (answer.kind !== 'done') throw new Error(answer.reason);
  return answer.value.invoice;
}

describe('every supported bank', () => {
  test.each(['hold', 'debit'] as const)('opens an invoice for a %s with a page to pay at', async (kind) => {
    expect(await open(kind)).toEqual({
      kind: 'done',
      value: { invoice: expect.stringMatching(/^\w{10,}$/), pageUrl: expect.stringMatching(/^https?:\/\//) },
    });
  });

  test('returns the status of an unpaid invoice', async () => {
    const invoice = await opened('hold', 123_45);
    expect(await bank.invoiceStatus(invoice)).toMatchObject({
      kind: 'done',
      value: { status: 'created', amount: 123_45, currency: 980, modifiedAt: expect.any(Date), returns: [] },
    });
  });

  test('refuses an unknown invoice with a code', async () => {
    expect(await bank.invoiceStatus('261115NoSuchInvoice')).toMatchObject({
      kind: 'refused',
      code: expect.any(String),
    });
    expect(await bank.finalize(await opened('hold'), kopecks(1_00), null)).toMatchObject({ kind: 'refused' });
    expect(await bank.open({ ...invoiceOf(0), amount: 0 as never })).toMatchObject({ kind: 'refused' });
  });

  test('withdraws an unpaid invoice, which cannot be paid any more', async () => {
    const invoice = await opened('hold');
    expect(await bank.remove(invoice)).toEqual({ kind: 'done', value: null });
    const invoiceStatus = await bank.invoiceStatus(invoice);
    expect(invoiceStatus.kind === 'done' ? invoiceStatus.value.status : invoiceStatus.kind).not.toBe('created');
  });

  test('accepts a fiscal basket [PAY-33]', async () => {
    expect((await open('hold', 100_00, true)).kind).toBe('done');
  });

  test('returns a statement', async () => {
    const answer = await bank.statement(new Date(Date.now() - 24 * 60 * 60_000), new Date());
    expect(answer).toMatchObject({ kind: 'done', value: expect.any(Array) });
  });

  test('recognises a forged notification', async () => {
    const body = Buffer.from(JSON.stringify({ invoiceId: 'x', status: 'hold', amount: 1, ccy: 980 }));
    expect(await bank.hint(body, 'MEUCIQDq8Kt7XyBrUMTw1O8I4mTnZ2w8zU3Q0bXcYQWUj5i9pAIgC0m0rj1lNqQ4bH9g4x2b1Q==')).toBe(
      'forged',
    );
    expect(await bank.hint(body, undefined)).toBe('forged');
  });

  test('and its client record every exchange, without the token', () => {
    expect(exchanges.length).toBeGreaterThan(10);
    expect(JSON.stringify(exchanges)).not.toContain(realToken ?? sandboxToken);
  });
});

function invoiceOf(amount: number) {
  return {
    reference: 'FPAY-TEST',
    amount: kopecks(amount),
    kind: 'hold' as const,
    description: 'Charging',
    redirectUrl: 'https://fpay.example/',
    validSeconds: 900,
    fiscalItem: null,
  };
}
