import { expect, test } from 'vitest';
import { sharedBench } from '../testing/bench.ts';

const refusing = sharedBench();

test('merchant details and public key are returned', async () => {
  const bench = await refusing();
  expect((await bench.merchant('GET', '/details')).body).toEqual({
    merchantId: expect.any(String),
    merchantName: 'FPay',
    edrpou: expect.stringMatching(/^\d{8}$/),
  });
  const { key } = (await bench.merchant('GET', '/pubkey')).body;
  expect(Buffer.from(key, 'base64').toString()).toMatch(/^-----BEGIN PUBLIC KEY-----/);
});

test('without the right token nothing is returned', async () => {
  const bench = await refusing();
  const wrong = await bench.app.inject({ url: '/bank/api/merchant/details', headers: { 'x-token': 'guess' } });
  expect([wrong.statusCode, wrong.json().errCode]).toEqual([403, 'FORBIDDEN']);
  const none = await bench.app.inject({ url: '/bank/api/merchant/details' });
  expect([none.statusCode, none.json().errCode]).toEqual([400, 'BAD_REQUEST']);
});

test('an unknown invoice is 404, another method 405, an unknown call 404', async () => {
  const bench = await refusing();
  const unknown = await bench.merchant('GET', '/invoice/status?invoiceId=nope');
  expect([unknown.status, unknown.body.errCode]).toEqual([404, 'NOT_FOUND']);
  const method = await bench.merchant('GET', '/invoice/create');
  expect([method.status, method.body.errCode]).toEqual([405, 'METHOD_NOT_ALLOWED']);
  const call = await bench.merchant('GET', '/invoice/nothing');
  expect([call.status, call.body.errCode]).toEqual([404, 'NOT_FOUND']);
});

test.each([
  ['no amount', {}, 'BAD_REQUEST'],
  ['a negative amount', { amount: -1 }, 'BAD_REQUEST'],
  ['hryvnias with decimals', { amount: 10.5 }, 'BAD_REQUEST'],
  ['an amount as text', { amount: '100' }, 'BAD_REQUEST'],
  ['an unknown currency', { amount: 1, ccy: 1 }, 'BAD_REQUEST'],
  ['an unknown payment type', { amount: 1, paymentType: 'gift' }, 'BAD_REQUEST'],
  ['a script as return address', { amount: 1, redirectUrl: 'javascript:alert(1)' }, 'BAD_REQUEST'],
  ['no validity at all', { amount: 1, validity: 0 }, 'BAD_REQUEST'],
  [
    'a basket line without a code',
    { amount: 1, merchantPaymInfo: { basketOrder: [{ name: 'a', qty: 1, sum: 1 }] } },
    'INVALID_MERCHANT_PAYM_INFO',
  ],
  [
    'a destination over 280',
    { amount: 1, merchantPaymInfo: { destination: 'a'.repeat(281) } },
    'INVALID_MERCHANT_PAYM_INFO',
  ],
  ['metadata that is not text', { amount: 1, merchantPaymInfo: { metadata: { a: 1 } } }, 'INVALID_MERCHANT_PAYM_INFO'],
  [
    'the same e-mail twice',
    { amount: 1, merchantPaymInfo: { customerEmails: ['a@b.ua', 'a@b.ua'] } },
    'INVALID_MERCHANT_PAYM_INFO',
  ],
])('an invoice with %s is refused', async (_what, request, errCode) => {
  const bench = await refusing();
  const { status: code, body } = await bench.merchant('POST', '/invoice/create', request);
  expect([code, body.errCode]).toEqual([400, errCode]);
  expect(body.errText).toEqual(expect.any(String));
});
