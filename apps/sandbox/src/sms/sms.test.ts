import { expect, test, vi } from 'vitest';
import { demo } from '../demo.ts';
import { type Answered, type Bench, eventually, sharedBench, startBench } from '../testing/bench.ts';
import { segmentsOf } from './message.ts';

const sms = { sender: 'FPay', text: 'Код 482913' };
const phone = '380671234567';

async function call(bench: Bench, path: string, body?: object | string, token: string | null = demo.smsToken) {
  const response = await bench.app.inject({
    method: 'POST',
    url: `/sms/${path}`,
    headers: { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.statusCode, body: response.json() as Answered };
}
const send = (bench: Bench, recipients: unknown = [phone], more: object = {}) =>
  call(bench, 'message/send.json', { recipients, sms, ...more });
const inbox = async (bench: Bench, of = phone) => (await bench.call('GET', `/sms/messages?phone=${of}`)).body.messages;

const refusing = sharedBench();

test('a message is sent, shown to its phone, and reported as delivered', async () => {
  const bench = await startBench();
  const { status, body } = await send(bench);
  expect(status).toBe(200);
  expect(body).toEqual({
    response_code: 801,
    response_status: 'SUCCESS_MESSAGE_SENT',
    response_result: [
      { phone, response_code: 0, message_id: expect.stringMatching(/^[0-9a-f-]{36}$/), response_status: 'OK' },
    ],
  });
  const { message_id } = body.response_result[0];
  expect(await inbox(bench, '%2B380%2067%20123%2045%2067')).toEqual([
    { id: message_id, phone, ...sms, segments: 1, created_at: '2026-11-15T10:00:00.000Z' },
  ]);
  const report = await call(bench, 'message/status.json', { messages: [message_id, 'nope'] });
  expect(report.body).toMatchObject({
    response_code: 0,
    response_result: [
      {
        message_id,
        recipient: phone,
        sent: '2026-11-15 12:00:00',
        updated: '2026-11-15 12:00:00',
        status: 'Delivered',
        type: 'sms',
        response_code: 0,
        response_status: 'OK',
      },
      { message_id: 'nope', response_code: 307, response_status: 'INVALID_MESSAGE_ID' },
    ],
  });
});

test('the page shows the newest message first, of one phone or of all', async () => {
  const bench = await startBench();
  await send(bench);
  await call(bench, 'message/send.json', { recipients: [phone], sms: { sender: 'FPay', text: '<b>second</b>' } });
  await send(bench, ['380500000001']);
  const page = await bench.call('GET', `/sms?phone=%2B${phone}`);
  expect(page.text.match(/data-testid="sms-message"/g)).toHaveLength(2);
  expect(page.text.indexOf('&lt;b&gt;second')).toBeLessThan(page.text.indexOf('Код 482913'));
  const all = await bench.call('GET', '/sms?part=messages');
  expect(all.text.match(/data-testid="sms-message"/g)).toHaveLength(3);
});

test('each recipient gets its own result', async () => {
  const bench = await startBench();
  const { body } = await send(bench, ['+380 67 123-45-67', '12', phone]);
  expect(body).toMatchObject({
    response_code: 803,
    response_status: 'SUCCESS_MESSAGE_PARTIAL_SENT',
    response_result: [
      { phone, response_code: 0 },
      { phone: '12', response_code: 305, message_id: null },
      { phone, response_code: 407, message_id: null },
    ],
  });
  expect(await inbox(bench)).toHaveLength(1);
  expect((await send(bench, ['12'])).body.response_code).toBe(305);
});

test.each([
  [{}, 202],
  [{ recipients: [] }, 202],
  [{ recipients: [phone] }, 200],
  [{ recipients: [phone], sms: { text: 'a' } }, 200],
  [{ recipients: [phone], sms: { sender: 'FPay' } }, 201],
  [{ recipients: [phone], sms: { sender: 'TwelveLetter', text: 'a' } }, 302],
  [{ recipients: [phone], sms: { sender: 'Stranger', text: 'a' } }, 400],
  [{ recipients: [phone], sms: { sender: 'FPay', text: 7 } }, 304],
  [{ recipients: [phone], sms: { sender: 'FPay', text: 'я'.repeat(671) } }, 413],
  [{ recipients: [phone], sms, start_time: 'soon' }, 303],
  [{ recipients: [phone], sms, start_time: '2026-12-01 10:00' }, 403],
  [{ recipients: [phone], sms: 'text' }, 300],
  ['{broken', 502],
  [undefined, 104],
])('the request %j is refused with %i', async (request, code) => {
  const bench = await refusing();
  const { status, body } = await call(bench, 'message/send.json', request);
  expect([status, body.response_code, body.response_result]).toEqual([200, code, null]);
  expect(await inbox(bench)).toEqual([]);
});

test('a wrong token is 301, none is 103, and a token in the address is accepted', async () => {
  const bench = await refusing();
  expect((await call(bench, 'user/balance.json', undefined, 'guess')).body.response_code).toBe(301);
  expect((await call(bench, 'user/balance.json', undefined, null)).body.response_code).toBe(103);
  const inAddress = await call(bench, `user/balance.json?token=${demo.smsToken}`, undefined, null);
  expect(inAddress.body.response_code).toBe(0);
  expect((await call(bench, 'message/ping.json')).body).toMatchObject({ response_code: 1, response_status: 'PONG' });
});

test('messages are charged by the segment, and without balance nothing is sent', async () => {
  const bench = await startBench();
  await bench.call('POST', '/sms/switches', { balanceKopecks: 2_00 });
  const long = { sender: 'FPay', text: 'я'.repeat(71) };
  expect((await send(bench, [phone], { sms: long })).body.response_code).toBe(801);
  expect((await call(bench, 'user/balance.json')).body.response_result).toEqual({ balance: 0.3 });
  expect((await send(bench)).body).toMatchObject({ response_code: 203, response_result: [{ response_code: 203 }] });
  expect(await inbox(bench)).toHaveLength(1);
});

test.each([
  ['a'.repeat(160), 1],
  ['a'.repeat(161), 2],
  ['я'.repeat(70), 1],
  ['я'.repeat(71), 2],
])('the text %s takes %i segments', (text, segments) => {
  expect(segmentsOf(text)).toBe(segments);
});

test('a message with a later start time waits', async () => {
  const bench = await startBench();
  const { body } = await send(bench, [phone], { start_time: '2026-11-15 13:00' });
  expect(body.response_code).toBe(800);
  const messages = [body.response_result[0].message_id];
  const status = async () => (await call(bench, 'message/status.json', { messages })).body.response_result[0].status;
  expect(await status()).toBe('Queued');
  bench.clock.advance(3_600_000);
  expect(await status()).toBe('Delivered');
});

test.each([203, 305, 503, 999])('sending can be made to fail with %i', async (code) => {
  const bench = await startBench();
  await bench.call('POST', '/sms/switches', { send: `refused:${code} x1` });
  const { status, body } = await send(bench);
  expect([status, body.response_code]).toEqual([200, code]);
  expect(await inbox(bench)).toEqual([]);
  expect((await send(bench)).body.response_code).toBe(801);
});

test('sending can fail for one phone only', async () => {
  const bench = await startBench();
  await bench.call('POST', '/sms/switches', { phone: '+380 67 123 45 67', send: 'refused:203' });
  expect((await send(bench)).body.response_code).toBe(203);
  expect((await send(bench, ['380500000001'])).body.response_code).toBe(801);
  await bench.call('DELETE', '/sms/switches');
  expect((await send(bench)).body.response_code).toBe(801);
});

test('a message can end undelivered', async () => {
  const bench = await startBench();
  await bench.call('POST', '/sms/switches', { delivery: 'Undelivered' });
  const { body } = await send(bench);
  const messages = [body.response_result[0].message_id];
  const report = await call(bench, 'message/status.json', { messages });
  expect(report.body.response_result[0].status).toBe('Undelivered');
});

test.each([
  ['no-answer', 0],
  ['no-answer-done', 1],
])('without an answer (%s) %i messages are sent', async (fault, count) => {
  const bench = await startBench();
  await bench.call('POST', '/sms/switches', { send: fault, hangMs: 10_000 });
  const isBroken = vi.fn();
  const request = fetch(`${bench.url}/sms/message/send.json`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.smsToken}` },
    body: JSON.stringify({ recipients: [phone], sms }),
  }).catch(isBroken);
  // The connection breaks only after the configured delay, so this polls.
  await eventually(() => {
    bench.clock.advance(1000);
    expect(isBroken).toHaveBeenCalled();
  });
  await request;
  expect(await inbox(bench)).toHaveLength(count);
});
