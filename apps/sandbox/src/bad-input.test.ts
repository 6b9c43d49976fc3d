import fc from 'fast-check';
import { expect, test } from 'vitest';
import { demo } from './demo.ts';
import { partNames } from './parts.ts';
import { startBench } from './testing/bench.ts';

/** What stands for a parameter of an address; any other is `x`. */
const samples: Record<string, string[]> = {
  token: [demo.botToken],
  method: [
    ...['getMe', 'getUpdates', 'sendMessage', 'editMessageText', 'editMessageReplyMarkup', 'answerCallbackQuery'],
    ...['setWebhook', 'deleteMessage', 'setMyCommands', 'getMyCommands', 'getChat', 'x'],
  ],
  id: ['x', '1'],
};

/** Addresses of the route, each parameter with each of its samples. */
function addressesOf(url: string): string[] {
  const parameter = /:(\w+)/.exec(url);
  if (!parameter) return [url];
  const [text, name = ''] = parameter;
  return (samples[name] ?? ['x']).flatMap((sample) => addressesOf(url.replace(text, sample)));
}

const names = [
  'amount',
  'invoiceId',
  'merchantPaymInfo',
  'from',
  'to',
  'recipients',
  'sms',
  'messages',
  'chat_id',
  'text',
  'url',
  'message_id',
  'data',
  'reply_markup',
  'commands',
  'reference',
  'offset',
  'action',
  '__proto__',
];
const body = fc.oneof(
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.dictionary(fc.constantFrom(...names), fc.jsonValue()).map((value) => JSON.stringify(value)),
);
const query = fc
  .dictionary(fc.constantFrom(...names, 'lang', 'part', 'user', 'phone', 'start'), fc.string())
  .map((fields) => new URLSearchParams(fields).toString());
const types = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data',
  'nonsense',
  '',
];

test('no input to any address causes a server error', { timeout: 60_000 }, async () => {
  const urls = new Set<string>();
  const bench = await startBench({ onRoute: ({ url }) => urls.add(url) });
  const paths = [...urls].flatMap(addressesOf).concat('/nothing', '/bank/api/merchant/%00', '/bank/x');
  for (const part of partNames) expect(paths).toContain(`/${part}`);
  const request = fc.record({
    url: fc.tuple(fc.constantFrom(...paths), query).map(([path, search]) => `${path}?${search}`),
    method: fc.constantFrom('GET', 'POST', 'DELETE', 'PUT'),
    type: fc.constantFrom(...types),
    payload: body,
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ url, method, type, payload }) => {
      const response = await bench.app.inject({
        method: method as 'POST',
        url,
        headers: { 'x-token': demo.bankToken, authorization: `Bearer ${demo.smsToken}`, 'content-type': type },
        ...(method !== 'GET' && { payload }),
      });
      expect(response.statusCode).toBeLessThan(500);
      // TurboSMS uses 999 instead of 500.
      if (url.startsWith('/sms')) expect(response.body).not.toContain('FATAL_ERROR');
      // A switch that one run turned on must not affect the next one.
      if (url.includes('switches') || url.includes('getUpdates')) {
        await bench.call('DELETE', '/bank/switches');
        await bench.call('DELETE', '/sms/switches');
        await bench.call('DELETE', '/telegram/switches');
      }
      if (url.includes('setWebhook')) await bench.call('POST', `/telegram/bot${demo.botToken}/deleteWebhook`);
    }),
    { numRuns: 800 },
  );
});

test('a body over a megabyte is refused', async () => {
  const bench = await startBench();
  const huge = JSON.stringify({ amount: 1, comment: 'a'.repeat(1_100_000) });
  const { status, body: answer } = await bench.merchant('POST', '/invoice/create', JSON.parse(huge));
  expect([status, answer.errCode]).toEqual([400, 'BAD_REQUEST']);
  expect((await bench.call('POST', '/telegram/users/1/messages', huge)).status).toBe(413);
});
