import { expect, test } from 'vitest';
import { type Bench, startBench } from '../testing/bench.ts';
import { moneyText } from './money.ts';
import { languageOf, languages, payTexts } from './pay-texts.ts';

const redirectUrl = 'https://shop.example/return?token=a&b=c';

async function invoice(bench: Bench, more: object = {}): Promise<string> {
  const { body } = await bench.merchant('POST', '/invoice/create', {
    amount: 1250_00,
    paymentType: 'hold',
    redirectUrl,
    merchantPaymInfo: {
      destination: 'Заряджання F1234',
      basketOrder: [{ name: 'Електроенергія', qty: 62.5, sum: 20_00, code: 'ev', unit: 'кВт·год' }],
    },
    ...more,
  });
  return body.invoiceId;
}
const press = (bench: Bench, id: string, fields: Record<string, string>) =>
  bench.app.inject({
    method: 'POST',
    url: `/bank/pay/${id}?lang=en`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  });
const card = { number: '4242 4242 4242 4242', expiry: '12/39', cvv: '123' };
const status = async (bench: Bench, id: string) => (await bench.call('GET', `/bank/invoices/${id}`)).body;

test.each(languages)('the payment page is in %s and shows amount, merchant, basket and a test card', async (lang) => {
  const bench = await startBench();
  const { text, headers } = await bench.call('GET', `/bank/pay/${await invoice(bench)}?lang=${lang}`);
  expect(text).toContain(`<html lang="${lang}">`);
  expect(text).toContain(payTexts[lang].toHold);
  expect(text).toContain(moneyText(1250_00, 980, lang));
  for (const shown of ['FPay', 'Заряджання F1234', 'Електроенергія', '4242 4242 4242 4242'])
    expect(text).toContain(shown);
  for (const id of ['bank-pay', 'bank-decline', 'bank-cancel']) expect(text).toContain(`data-testid="${id}"`);
  expect(headers['content-security-policy']).toContain("script-src 'self'");
  expect(text).not.toMatch(/<script(?! src="\/assets\/live\.js")| on\w+=| style=/);
});

test.each([
  [undefined, undefined, 'uk'],
  [undefined, 'xx-XX,pl;q=0.4,en;q=0.8', 'en'],
  [undefined, 'pl-PL', 'pl'],
  [undefined, 'en;q=0, *', 'uk'],
  ['pl', 'en', 'pl'],
  ['xx', 'en', 'en'],
  [['pl'], '', 'uk'],
])('with the language %j and Accept-Language %j, the page is in %s', (asked, accepted, language) => {
  expect(languageOf(asked, accepted)).toBe(language);
});

test('every language has every text', () => {
  const keys = (texts: object): string[] =>
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === 'object' ? keys(value).map((inner) => `${key}.${inner}`) : [key],
    );
  expect(keys(payTexts.en)).toEqual(keys(payTexts.uk));
  expect(keys(payTexts.pl)).toEqual(keys(payTexts.uk));
});

test.each([
  ['pay', 'hold', undefined],
  ['decline', 'failure', '1200'],
  ['cancel', 'failure', '8002'],
])('pressing %s returns the payer and sets the invoice to %s', async (action, expected, errCode) => {
  const bench = await startBench();
  const id = await invoice(bench);
  const response = await press(bench, id, { action, errCode: '1200', ...card });
  expect([response.statusCode, response.headers.location]).toEqual([303, redirectUrl]);
  const after = await status(bench, id);
  expect([after.status, after.errCode]).toEqual([expected, errCode]);
});

test('a wrong card is marked, the input except the security code stays, and nothing is paid', async () => {
  const bench = await startBench();
  const id = await invoice(bench);
  const typed = { number: '4242 4242 4242 4243', expiry: '01/20', cvv: '1x' };
  const response = await press(bench, id, { action: 'pay', ...typed });
  expect(response.statusCode).toBe(422);
  for (const text of Object.values(payTexts.en.faults)) expect(response.body).toContain(text);
  expect(response.body).toContain('value="4242 4242 4242 4243"');
  expect(response.body).not.toContain('value="1x"');
  expect((await status(bench, id)).status).toBe('created');
});

test('the typed number is the card that pays, and it is not stored', async () => {
  const bench = await startBench();
  const id = await invoice(bench);
  await press(bench, id, { action: 'pay', ...card, number: '5555 5555 5555 4444' });
  const after = await status(bench, id);
  expect(after.paymentInfo).toMatchObject({ maskedPan: '555555******4444', paymentSystem: 'mastercard' });
  expect(JSON.stringify(after)).not.toContain('5555555555554444');
});

test.each([
  ['pay', 'hold'],
  ['decline', 'failure'],
  ['expire', 'expired'],
])('after %s the page has only the link back', async (action, state) => {
  const bench = await startBench();
  const id = await invoice(bench);
  await bench.call('POST', `/bank/invoices/${id}/${action}`);
  const { text } = await bench.call('GET', `/bank/pay/${id}?lang=en`);
  expect(text).toContain(`data-status="${state}"`);
  expect(text).toContain(payTexts.en.states[state as 'hold'][0]);
  expect(text).not.toContain('data-testid="bank-pay"');
  expect(text).toContain('href="https://shop.example/return?token=a&amp;b=c"');
});

test('pressing pay twice pays once, and the second press shows the result', async () => {
  const bench = await startBench();
  const id = await invoice(bench);
  await press(bench, id, { action: 'pay', ...card });
  const again = await press(bench, id, { action: 'decline', ...card });
  expect([again.statusCode, again.headers.location]).toEqual([303, `/bank/pay/${id}?lang=en`]);
  expect((await status(bench, id)).status).toBe('hold');
});

test('without a return address the payer stays on the page', async () => {
  const bench = await startBench();
  const id = await invoice(bench, { redirectUrl: undefined });
  const response = await press(bench, id, { action: 'pay', ...card });
  expect(response.headers.location).toBe(`/bank/pay/${id}?lang=en`);
});

test('a payer sees that the payment is processing, and the page reloads itself', async () => {
  const bench = await startBench();
  await bench.call('POST', '/bank/switches', { processingMs: 1000 });
  const id = await invoice(bench);
  expect((await press(bench, id, { action: 'pay', ...card })).headers.location).toBe(redirectUrl);
  const page = await bench.call('GET', `/bank/pay/${id}?lang=en`);
  expect(page.text).toContain(payTexts.en.states.processing[0]);
  expect(page.headers.refresh).toBe('2');
});

test('text of a merchant cannot become markup', async () => {
  const bench = await startBench();
  const nasty = '"><script>alert(1)</script>';
  const id = await invoice(bench, {
    merchantPaymInfo: {
      reference: nasty,
      destination: nasty,
      basketOrder: [{ name: nasty, qty: 1, sum: 1, code: 'a' }],
    },
  });
  for (const path of [`/bank/pay/${id}`, '/bank', `/bank?reference=${encodeURIComponent(nasty)}`, '/bank/log']) {
    expect((await bench.call('GET', path)).text).not.toContain('<script>alert');
  }
});

test('an unknown invoice is reported', async () => {
  const bench = await startBench();
  const page = await bench.call('GET', '/bank/pay/nope?lang=pl');
  expect([page.status, page.text.includes(payTexts.pl.unknown[0])]).toEqual([404, true]);
});

test('the operator page lists invoices with their status, and a log of calls without secrets', async () => {
  const bench = await startBench();
  const id = await invoice(bench, { saveCardData: { saveCard: true } });
  await bench.call('POST', `/bank/invoices/${id}/pay`);
  const { cardToken } = (await status(bench, id)).walletData;
  await bench.merchant('DELETE', `/wallet/card?cardToken=${cardToken}`);
  const operatorPage = await bench.call('GET', '/bank');
  expect(operatorPage.text).toContain(`data-invoice="${id}" data-status="hold"`);
  const part = await bench.call('GET', '/bank?part=invoices');
  expect(operatorPage.text).toContain(part.text);
  const log = await bench.call('GET', '/bank/log');
  expect(log.text).toContain('POST /api/merchant/invoice/create');
  for (const secret of [cardToken, 'sandbox-merchant-token', 'token=a']) {
    expect(log.text).not.toContain(secret);
    expect((await bench.call('GET', '/bank/log.json')).text).not.toContain(secret);
  }
});
