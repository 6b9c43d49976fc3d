import { expect, test } from 'vitest';
import { startBench } from '../testing/bench.ts';
import { fetchStatus, hold, openInvoice, pay } from '../testing/invoices.ts';

test('an invoice is created with the address of its payment page', async () => {
  const bench = await startBench();
  const { status: code, body } = await bench.merchant('POST', '/invoice/create', { ...hold, withAppUrl: true });
  expect(code).toBe(200);
  expect(body.invoiceId).toMatch(/^261115\w{14}$/);
  expect(new URL(body.pageUrl).pathname).toBe(`/bank/pay/${body.invoiceId}`);
  expect(await fetchStatus(bench, body.invoiceId)).toEqual({
    invoiceId: body.invoiceId,
    status: 'created',
    amount: 250_00,
    ccy: 980,
    createdDate: '2026-11-15T10:00:00Z',
    modifiedDate: '2026-11-15T10:00:00Z',
    reference: 'op-1',
  });
});

test('a paid hold shows the masked card, and no final amount yet', async () => {
  const bench = await startBench();
  const id = await openInvoice(bench);
  await pay(bench, id);
  expect(await fetchStatus(bench, id)).toMatchObject({
    status: 'hold',
    amount: 250_00,
    paymentInfo: {
      maskedPan: '424242******4242',
      approvalCode: expect.stringMatching(/^\d{6}$/),
      rrn: expect.stringMatching(/^\d{12}$/),
      tranId: expect.stringMatching(/^\d{8}$/),
      terminal: 'MI001088',
      paymentSystem: 'visa',
      paymentMethod: 'pan',
      country: '804',
    },
  });
  expect(await fetchStatus(bench, id)).not.toHaveProperty('finalAmount');
});

test('a debit is captured as soon as it is paid, minus a fee of 1.3 %', async () => {
  const bench = await startBench();
  const id = await openInvoice(bench, { amount: 100_00 });
  await pay(bench, id);
  expect(await fetchStatus(bench, id)).toMatchObject({
    status: 'success',
    finalAmount: 100_00,
    paymentInfo: { fee: 1_30 },
  });
});

test('a hold is finalized once, for less than was held', async () => {
  const bench = await startBench();
  const id = await openInvoice(bench);
  await pay(bench, id);
  bench.clock.advance(5000);
  const first = await bench.merchant('POST', '/invoice/finalize', { invoiceId: id, amount: 180_00 });
  expect(first).toMatchObject({ status: 200, body: { status: 'success' } });
  expect(await fetchStatus(bench, id)).toMatchObject({
    status: 'success',
    amount: 250_00,
    finalAmount: 180_00,
    modifiedDate: '2026-11-15T10:00:05Z',
  });
  const again = await bench.merchant('POST', '/invoice/finalize', { invoiceId: id, amount: 10_00 });
  expect(again).toMatchObject({ status: 400, body: { errCode: 'BAD_REQUEST' } });
  expect(await fetchStatus(bench, id)).toMatchObject({ finalAmount: 180_00 });
});

test('a hold is finalized completely when no amount is given', async () => {
  const bench = await startBench();
  const id = await openInvoice(bench);
  await pay(bench, id);
  await bench.merchant('POST', '/invoice/finalize', { invoiceId: id });
  expect(await fetchStatus(bench, id)).toMatchObject({ status: 'success', finalAmount: 250_00 });
});

test.each([
  ['more than the hold', { amount: 250_01 }],
  ['nothing', { amount: 0 }],
  ['half a kopeck', { amount: 10.5 }],
])('finalizing %s is refused and the hold stays', async (_what, asked) => {
  const bench = await startBench();
  const id = await openInvoice(bench);
  await pay(bench, id);
  const { status: code, body } = await bench.merchant('POST', '/invoice/finalize', { invoiceId: id, ...asked });
  expect([code, body.errCode]).toEqual([400, 'BAD_REQUEST']);
  expect(await fetchStatus(bench, id)).toMatchObject({ status: 'hold' });
});

test('an unpaid invoice cannot be finalized', async () => {
  const bench = await startBench();
  const id = await openInvoice(bench);
  const { body } = await bench.merchant('POST', '/invoice/finalize', { invoiceId: id });
  expect(body.errCode).toBe('BAD_REQUEST');
});

test('a cancel without an amount releases a hold, which is first processing and then reversed', async () => {
  const bench = await startBench();
  const id = await openInvoice(bench);
  await pay(bench, id);
  const { body } = await bench.merchant('POST', '/invoice/cancel', { invoiceId: id });
  expect(body).toEqual({
    status: 'processing',
    createdDate: '2026-11-15T10:00:00Z',
    modifiedDate: '2026-11-15T10:00:00Z',
  });
  expect(await fetchStatus(bench, id)).toMatchObject({ status: 'hold', cancelList: [{ status: 'processing' }] });
  bench.clock.advance(1000);
  expect(await fetchStatus(bench, id)).toMatchObject({
    status: 'reversed',
    finalAmount: 0,
    cancelList: [{ status: 'success', amount: 250_00, ccy: 980, rrn: expect.stringMatching(/^\d{12}$/) }],
  });
});

test('a hold is neither released in part nor finalized while it is being released', async () => {
  const bench = await startBench();
  const id = await openInvoice(bench);
  await pay(bench, id);
  const part = await bench.merchant('POST', '/invoice/cancel', { invoiceId: id, amount: 1_00 });
  expect(part.body.errCode).toBe('WRONG_CANCEL_AMOUNT');
  await bench.merchant('POST', '/invoice/cancel', { invoiceId: id });
  const late = await bench.merchant('POST', '/invoice/finalize', { invoiceId: id });
  expect(late.body.errCode).toBe('BAD_REQUEST');
  const twice = await bench.merchant('POST', '/invoice/cancel', { invoiceId: id });
  expect(twice).toMatchObject({ status: 400, body: { errCode: 'WRONG_CANCEL_AMOUNT' } });
});

test('a payment is refunded in parts, each with its own reference, and never beyond the captured amount', async () => {
  const bench = await startBench();
  const id = await openInvoice(bench, { amount: 100_00 });
  await pay(bench, id);
  await bench.merchant('POST', '/invoice/cancel', { invoiceId: id, amount: 30_00, extRef: 'refund-1' });
  bench.clock.advance(1000);
  expect(await fetchStatus(bench, id)).toMatchObject({
    status: 'success',
    finalAmount: 70_00,
    cancelList: [{ status: 'success', amount: 30_00, extRef: 'refund-1' }],
  });
  const tooMuch = await bench.merchant('POST', '/invoice/cancel', { invoiceId: id, amount: 70_01 });
  expect(tooMuch.body.errCode).toBe('WRONG_CANCEL_AMOUNT');
  await bench.merchant('POST', '/invoice/cancel', { invoiceId: id, extRef: 'refund-2' });
  bench.clock.advance(1000);
  expect(await fetchStatus(bench, id)).toMatchObject({
    status: 'reversed',
    finalAmount: 0,
    cancelList: [{ extRef: 'refund-1' }, { extRef: 'refund-2', amount: 70_00 }],
  });
  const again = await bench.merchant('POST', '/invoice/cancel', { invoiceId: id });
  expect(again).toMatchObject({ status: 400, body: { errCode: 'WRONG_CANCEL_AMOUNT' } });
});

test('an unpaid invoice cannot be cancelled, and the bank answers with 500', async () => {
  const bench = await startBench();
  const id = await openInvoice(bench);
  const { status: code, body } = await bench.merchant('POST', '/invoice/cancel', { invoiceId: id });
  expect([code, body.errCode]).toEqual([500, 'CANCEL_NOT_AVAILABLE']);
});

test('an unpaid invoice is removed and can no longer be paid; a paid one is not removed', async () => {
  const bench = await startBench();
  const id = await openInvoice(bench);
  expect(await bench.merchant('POST', '/invoice/remove', { invoiceId: id })).toMatchObject({ status: 200, body: {} });
  expect(await fetchStatus(bench, id)).toMatchObject({ status: 'expired' });
  expect((await pay(bench, id)).status).toBe(409);
  const paid = await openInvoice(bench);
  await pay(bench, paid);
  const refused = await bench.merchant('POST', '/invoice/remove', { invoiceId: paid });
  expect(refused.body.errCode).toBe('BAD_REQUEST');
});

test('a declined payment has a code and a reason', async () => {
  const bench = await startBench();
  const id = await openInvoice(bench);
  await bench.call('POST', `/bank/invoices/${id}/decline`);
  expect(await fetchStatus(bench, id)).toMatchObject({
    status: 'failure',
    errCode: '59',
    failureReason: 'Недостатньо коштів',
  });
  const other = await openInvoice(bench);
  await bench.call('POST', `/bank/invoices/${other}/decline`, { errCode: '1406' });
  expect(await fetchStatus(bench, other)).toMatchObject({ status: 'failure', errCode: '1406' });
  const cancelled = await openInvoice(bench);
  await bench.call('POST', `/bank/invoices/${cancelled}/cancel`);
  expect(await fetchStatus(bench, cancelled)).toMatchObject({ status: 'failure', errCode: '8002' });
});

test('a payment can succeed after the bank reported failure or expired', async () => {
  const bench = await startBench();
  for (const action of ['decline', 'expire']) {
    const id = await openInvoice(bench);
    await bench.call('POST', `/bank/invoices/${id}/${action}`);
    expect((await pay(bench, id)).status).toBe(409);
    await bench.call('POST', `/bank/invoices/${id}/pay`, { late: true });
    expect(await fetchStatus(bench, id)).toMatchObject({ status: 'hold' });
    expect(await fetchStatus(bench, id)).not.toHaveProperty('errCode');
  }
});

test('a chargeback returns the whole payment without a request of the merchant', async () => {
  const bench = await startBench();
  const id = await openInvoice(bench, { amount: 80_00 });
  await pay(bench, id);
  await bench.call('POST', `/bank/invoices/${id}/chargeback`);
  const after = await fetchStatus(bench, id);
  expect(after).toMatchObject({ status: 'reversed', finalAmount: 0, cancelList: [{ amount: 80_00 }] });
  expect(after.cancelList[0]).not.toHaveProperty('extRef');
});
