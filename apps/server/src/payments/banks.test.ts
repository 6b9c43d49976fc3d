import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BankApi } from './bank.ts';
import type { Provider } from './bank-terms.ts';
import { banksOf } from './banks.ts';
import { type MoneyFixture, startMoney } from './testing/money.ts';
import { wireMoney } from './testing/wire-money.ts';

/** The sandbox's bank was used before; then another one was chosen, which the test plays. */
let before: MoneyFixture;
let after: ReturnType<typeof wireMoney>;
const provider = 'another' as Provider;
const calls: string[] = [];
const newBank = new Proxy({ provider } as BankApi, {
  get(target, name: keyof BankApi) {
    if (name === 'provider') return target.provider;
    return async () => {
      calls.push(name);
      if (name === 'open') return { kind: 'done', value: { invoice: 'of-another', pageUrl: 'https://another.test/1' } };
      return name === 'statement' ? { kind: 'done', value: [] } : { kind: 'unknown', reason: 'it is a test' };
    };
  },
});

beforeAll(async () => {
  before = await startMoney();
  const { database, bankUrl, clock } = before;
  after = wireMoney({ databaseUrl: database.appUrl, bankUrl, clock, newBank });
});
afterAll(async () => {
  await after.close();
  await before.close();
});

test('a hold of the former bank is captured and returned there', async () => {
  const { id: user } = await before.addUser();
  const held = await before.paidHold(user, 300_00);
  calls.length = 0;
  await after.capture(held.id, 120_00);
  await after.runDue();
  expect(await after.payment(held.id)).toMatchObject({ provider: 'monobank', state: 'success', captured: 120_00 });
  await after.steps.run(async (step) => {
    const locked = await after.payments.store.lock(step, held.id);
    if (locked) await after.payments.refunds.askUpTo(step, locked, 20_00);
  });
  await after.runDue();
  before.manual.advance(4_000);
  await after.runDue();
  expect(await after.payment(held.id)).toMatchObject({ refunded: 20_00 });
  expect(calls).toEqual([]);
});

test('a new payment is opened at the chosen bank, and stores it', async () => {
  const { id: user } = await before.addUser('User', '+380501234567');
  expect(await after.openHold(user, 100_00)).toMatchObject({ provider: 'another', invoice: 'of-another' });
  expect(calls).toContain('open');
});

test('the statements of both banks are compared', async () => {
  calls.length = 0;
  await after.payments.reconcile(before.clock.now());
  expect(calls).toContain('statement');
});

test('a payment of a bank without an account is never sent to another one', () => {
  expect(() => banksOf(newBank).of({ provider: 'monobank' })).toThrow('there is no account at monobank');
});
