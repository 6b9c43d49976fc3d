import { expect, test } from 'vitest';
import { startBench } from '../testing/bench.ts';
import { basketOrder, openInvoice, pay } from '../testing/invoices.ts';

test('the receipt is a PDF, and only a paid invoice has one', async () => {
  const bench = await startBench();
  const id = await openInvoice(bench, { amount: 100_00 });
  expect((await bench.merchant('GET', `/invoice/receipt?invoiceId=${id}`)).status).toBe(404);
  await pay(bench, id);
  const { body } = await bench.merchant('GET', `/invoice/receipt?invoiceId=${id}&email=a@b.ua`);
  const pdf = Buffer.from(body.file, 'base64').toString('latin1');
  expect(pdf.startsWith('%PDF-1.4')).toBe(true);
  expect(pdf).toContain('Amount 100.00 UAH');
  const start = Number(/startxref\n(\d+)/.exec(pdf)?.[1]);
  expect(pdf.slice(start, start + 4)).toBe('xref');
});

test('a paid basket gets a fiscal check after a moment, and a refund gets its own', async () => {
  const bench = await startBench();
  const id = await openInvoice(bench);
  const checks = async () => (await bench.merchant('GET', `/invoice/fiscal-checks?invoiceId=${id}`)).body.checks;
  await pay(bench, id);
  expect(await checks()).toEqual([]);
  await bench.merchant('POST', '/invoice/finalize', { invoiceId: id, amount: 180_00, items: basketOrder });
  expect(await checks()).toMatchObject([{ type: 'sale', status: 'process', fiscalizationSource: 'monopay' }]);
  bench.clock.advance(1000);
  const [sale] = await checks();
  expect(sale).toMatchObject({ type: 'sale', status: 'done', file: expect.any(String) });
  const page = await bench.call('GET', new URL(sale.taxUrl).pathname + new URL(sale.taxUrl).search);
  expect(page.text).toContain('180,00');
  await bench.merchant('POST', '/invoice/cancel', { invoiceId: id, amount: 50_00, items: basketOrder });
  bench.clock.advance(1000);
  bench.clock.advance(1000);
  expect(await checks()).toMatchObject([{ type: 'sale' }, { type: 'return', status: 'done' }]);
});

test('with a fiscal register linked, baskets and items are mandatory', async () => {
  const bench = await startBench();
  await bench.call('POST', '/bank/switches', { fiscal: 'required' });
  const bare = await bench.merchant('POST', '/invoice/create', { amount: 100_00 });
  expect([bare.status, bare.body.errCode]).toEqual([400, 'INVALID_MERCHANT_PAYM_INFO']);
  const id = await openInvoice(bench);
  await pay(bench, id);
  const part = await bench.merchant('POST', '/invoice/finalize', { invoiceId: id, amount: 100_00 });
  expect(part.body.errCode).toBe('BAD_REQUEST');
  await bench.merchant('POST', '/invoice/finalize', { invoiceId: id, amount: 100_00, items: basketOrder });
  const refund = await bench.merchant('POST', '/invoice/cancel', { invoiceId: id, amount: 10_00 });
  expect(refund.body.errCode).toBe('BAD_REQUEST');
});

test('the statement lists movements of money in the period, newest first', async () => {
  const bench = await startBench();
  const from = bench.clock.now() / 1000;
  const paid = await openInvoice(bench, { amount: 100_00, merchantPaymInfo: { reference: 'top-up' } });
  await pay(bench, paid);
  bench.clock.advance(60_000);
  const held = await openInvoice(bench);
  await pay(bench, held);
  const released = await openInvoice(bench);
  await pay(bench, released);
  await bench.merchant('POST', '/invoice/cancel', { invoiceId: released });
  await openInvoice(bench);
  await bench.merchant('POST', '/invoice/cancel', { invoiceId: paid, amount: 40_00 });
  bench.clock.advance(1000);
  const list = async (query: string) => (await bench.merchant('GET', `/statement?${query}`)).body.list;
  expect(await list(`from=${from}`)).toMatchObject([
    { invoiceId: held, status: 'hold', amount: 250_00, reference: 'op-1', date: '2026-11-15T10:01:00Z' },
    {
      invoiceId: paid,
      status: 'success',
      amount: 100_00,
      profitAmount: 98_70,
      maskedPan: '424242******4242',
      paymentScheme: 'full',
      reference: 'top-up',
      cancelList: [{ amount: 40_00, maskedPan: '424242******4242', date: '2026-11-15T10:01:01Z' }],
    },
  ]);
  expect(await list(`from=${from - 100}&to=${from - 1}`)).toEqual([]);
  expect((await bench.merchant('GET', '/statement')).body.errCode).toBe('BAD_REQUEST');
  expect((await bench.merchant('GET', `/statement?from=${from}&to=${from - 5}`)).body.errCode).toBe('BAD_REQUEST');
});
