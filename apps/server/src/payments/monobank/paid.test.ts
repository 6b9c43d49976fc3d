import { kopecks } from '@fpay/contract/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MoneyFixture, startMoney } from '../testing/money.ts';
import { sandboxToken } from '../testing/wire-money.ts';
import { createMonobank } from './bank.ts';
import { invoiceStatusOf } from './mapping.ts';
import { Status } from './schemas.ts';

/** Cases that need a payer at the page, so only the sandbox can run them. */
let money: MoneyFixture;
beforeAll(async () => {
  money = await startMoney({ isFiscal: true });
});
afterAll(() => money.close());

async function paid(): Promise<string> {
  const answer = await money.bank.open({
    reference: `FPAY-${Math.floor(Math.random() * 1e9) + 1e9}`,
    amount: kopecks(100_00),
    kind: 'hold',
    description: 'Charging',
    redirectUrl: 'https://fpay.test/',
    validSeconds: 900,
    fiscalItem: { name: 'Charging', code: 'EV-CHARGING', amount: kopecks(100_00) },
  });
  if (answer.kind !== 'done') throw new Error(answer.reason);
  await money.atBank(answer.value.invoice, 'pay');
  return answer.value.invoice;
}
const invoiceStatus = async (invoice: string) => {
  const answer = await money.bank.invoiceStatus(invoice);
  if (answer.kind !== 'done') throw new Error(answer.reason);
  return answer.value;
};

test('the check of a sale is available after the capture [PAY-33]', async () => {
  const invoice = await paid();
  const goods = { name: 'Charging', code: 'EV-CHARGING', amount: kopecks(40_00) };
  await money.bank.finalize(invoice, kopecks(40_00), goods);
  expect(await invoiceStatus(invoice)).toMatchObject({ card: { rrn: expect.any(String) } });
  money.manual.advance(2_000);
  expect(await money.bank.fiscalCheck(invoice)).toMatchObject({
    value: { number: expect.stringMatching(/^\d{10}$/) },
  });
});

test.each(['error500', 'garbage', 'no-answer'])('a bank that answers %s leaves the outcome unknown', async (fault) => {
  const invoice = await paid();
  await money.switchBank({ reference: invoice, finalize: fault, status: fault, cancel: fault });
  const { bankUrl: baseUrl, clock } = money;
  const impatient = createMonobank({ baseUrl, token: sandboxToken, siteUrl: null, clock, timeoutMs: 400 });
  expect((await impatient.invoiceStatus(invoice)).kind).toBe('unknown');
  expect((await impatient.finalize(invoice, kopecks(1_00), null)).kind).toBe('unknown');
  expect((await impatient.cancel(invoice)).kind).toBe('unknown');
});

test('a bank that cannot be reached leaves it unknown too, and the exchange is recorded', async () => {
  const away = createMonobank({
    baseUrl: 'http://127.0.0.1:9',
    token: 'none',
    siteUrl: null,
    clock: money.clock,
    onExchange: money.exchanges.record,
  });
  expect(await away.invoiceStatus('261115AwayAwayAway')).toMatchObject({ kind: 'unknown' });
  const kept = await money.db
    .selectFrom('bank_exchanges')
    .selectAll()
    .where('invoice_id', '=', '261115AwayAwayAway')
    .execute();
  expect(kept).toMatchObject([
    { call: 'GET /invoice/status', http_status: null, failure: expect.stringContaining('no answer') },
  ]);
});

test('a new signing key is fetched when a check fails, at most once a minute', async () => {
  const keys = async () => {
    const log = (await (await fetch(`${money.bankUrl}/log.json`)).json()) as { calls: { what: string }[] };
    return log.calls.filter(({ what }) => what.includes('/pubkey')).length;
  };
  const body = Buffer.from('{"invoiceId":"x","status":"hold","amount":1,"ccy":980}');
  const before = await keys();
  for (let count = 0; count < 20; count += 1)
    expect(await money.bank.hint({ body, headers: { 'x-sign': 'AAAA' } })).toBe('forged');
  expect(await keys()).toBe(before + 1);
  money.manual.advance(61_000);
  await money.bank.hint({ body, headers: { 'x-sign': 'AAAA' } });
  expect(await keys()).toBe(before + 2);
});

test('values and fields that the bank adds do not stop us from reading the rest', () => {
  const read = invoiceStatusOf(
    Status.parse({
      invoiceId: '2210012MPLYwJjVUzchj',
      status: 'a-new-word',
      amount: 42_00,
      ccy: 980,
      somethingNew: { deep: [1] },
      modifiedDate: 'not a date',
      paymentInfo: { maskedPan: null },
      cancelList: [{ status: 'a-new-word', extRef: null }],
    }),
  );
  expect(read).toMatchObject({
    status: null,
    amount: 42_00,
    modifiedAt: null,
    card: null,
    returns: [{ status: 'processing' }],
  });
});
