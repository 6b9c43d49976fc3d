import { expect, test } from 'vitest';
import { startBench } from '../testing/bench.ts';
import { fetchStatus, openInvoice, pay } from '../testing/invoices.ts';

test('a saved card pays again without its owner', async () => {
  const bench = await startBench();
  const id = await openInvoice(bench, { amount: 10_00, saveCardData: { saveCard: true, walletId: 'wallet-1' } });
  await pay(bench, id);
  const { walletData } = await fetchStatus(bench, id);
  expect(walletData).toMatchObject({ walletId: 'wallet-1', status: 'created' });
  const wallet = await bench.merchant('GET', '/wallet?walletId=wallet-1');
  expect(wallet.body.wallet).toEqual([
    { cardToken: walletData.cardToken, maskedPan: '424242******4242', country: '804' },
  ]);
  const request = { cardToken: walletData.cardToken, amount: 55_00, ccy: 980, initiationKind: 'merchant' };
  const { body } = await bench.merchant('POST', '/wallet/payment', request);
  expect(body).toMatchObject({ status: 'success', amount: 55_00, ccy: 980 });
  expect(body).not.toHaveProperty('tdsUrl');
  expect(await fetchStatus(bench, body.invoiceId)).toMatchObject({
    status: 'success',
    finalAmount: 55_00,
    paymentInfo: { paymentMethod: 'wallet' },
  });
  await bench.merchant('DELETE', `/wallet/card?cardToken=${walletData.cardToken}`);
  const gone = await bench.merchant('POST', '/wallet/payment', request);
  expect([gone.status, gone.body.errCode]).toEqual([400, 'TOKEN_NOT_FOUND']);
});

test('a saved card can require 3-D Secure: the payer is sent to a page and pays there', async () => {
  const bench = await startBench();
  await bench.call('POST', '/bank/switches', { walletNeeds3ds: true });
  const id = await openInvoice(bench, { amount: 0, paymentType: 'verification', saveCardData: { saveCard: true } });
  await pay(bench, id);
  const { cardToken } = (await fetchStatus(bench, id)).walletData;
  const request = { cardToken, amount: 55_00, ccy: 980, initiationKind: 'client', paymentType: 'hold' };
  const { body } = await bench.merchant('POST', '/wallet/payment', request);
  expect(body).toMatchObject({ status: 'processing', tdsUrl: expect.stringContaining('/bank/pay/') });
  await pay(bench, body.invoiceId);
  expect(await fetchStatus(bench, body.invoiceId)).toMatchObject({ status: 'hold' });
});
