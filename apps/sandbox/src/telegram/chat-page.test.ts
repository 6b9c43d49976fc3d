import { expect, test } from 'vitest';
import { demo } from '../demo.ts';
import { type Bench, sharedBench, startBench } from '../testing/bench.ts';

const olena = 500000001;
const api = `/telegram/bot${demo.botToken}`;
const form = (bench: Bench, url: string, fields: Record<string, string>) =>
  bench.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  });

const refusing = sharedBench();

test('a deep link asks which user opens it, and Start sends the payload to the bot', async () => {
  const bench = await startBench();
  const link = await bench.call('GET', `/telegram/${demo.botUsername}?start=tok_123`);
  expect([link.status, link.headers.location]).toEqual([302, '/telegram/chat?start=tok_123']);
  const who = await bench.call('GET', '/telegram/chat?start=tok_123');
  expect(who.text).toContain('name="start" value="tok_123"');
  const opened = await form(bench, '/telegram/chat', {
    user: String(olena),
    name: 'Олена',
    language: 'pl',
    start: 'tok_123',
  });
  expect(opened.headers.location).toBe(`/telegram/chat?user=${olena}&start=tok_123`);
  const page = await bench.call('GET', String(opened.headers.location));
  expect(page.text).toContain('value="/start tok_123"');
  expect(page.text).toContain('data-testid="telegram-start"');
  await form(bench, `/telegram/users/${olena}/messages`, { text: '/start tok_123' });
  const { result } = (await bench.call('POST', `${api}/getUpdates`)).body;
  expect(result[0].message).toMatchObject({
    text: '/start tok_123',
    from: { first_name: 'Олена', language_code: 'pl' },
  });
});

test('buttons on the page send the callback data of the bot', async () => {
  const bench = await startBench();
  await form(bench, `/telegram/users/${olena}/messages`, { text: '/start' });
  const reply_markup = { inline_keyboard: [[{ text: 'Стоп', callback_data: 'stop:1' }]] };
  const sent = await bench.call('POST', `${api}/sendMessage`, { chat_id: olena, text: 'Заряджає', reply_markup });
  const page = await bench.call('GET', `/telegram/chat?user=${olena}`);
  expect(page.text).toContain('data-testid="telegram-button" data-data="stop:1"');
  const pressed = await form(bench, `/telegram/users/${olena}/press`, {
    message_id: String(sent.body.result.message_id),
    data: 'stop:1',
  });
  expect([pressed.statusCode, pressed.headers.location]).toEqual([303, `/telegram/chat?user=${olena}`]);
  const { result } = (await bench.call('POST', `${api}/getUpdates`)).body;
  const query = result.at(-1).callback_query;
  await bench.call('POST', `${api}/answerCallbackQuery`, { callback_query_id: query.id, text: 'Зупиняємо' });
  const log = await bench.call('GET', `/telegram/chat?user=${olena}&part=messages`);
  expect(log.text).toMatch(/data-testid="telegram-toast"[^>]*>Зупиняємо/);
});

test('text of people cannot become markup', async () => {
  const bench = await startBench();
  const nasty = '<img src=x>"><script>';
  await bench.call('POST', `/telegram/users/${olena}/messages`, { text: nasty, first_name: nasty });
  for (const path of [`/telegram/chat?user=${olena}`, '/telegram', '/telegram/chat?start=a']) {
    expect((await bench.call('GET', path)).text).not.toContain('<img');
  }
});

test.each([
  ['GET', '/telegram/chat?start=білий', undefined],
  ['GET', `/telegram/chat?user=${2 ** 53}`, undefined],
  ['GET', '/telegram/users/abc/messages', undefined],
  ['POST', '/telegram/users/0/messages', { text: 'a' }],
  ['POST', `/telegram/users/${olena}/messages`, {}],
  ['POST', `/telegram/users/${olena}/messages`, { text: 'a'.repeat(4097) }],
  ['POST', `/telegram/users/${olena}/press`, { message_id: 'x', data: 'a' }],
  ['POST', '/telegram/switches', { floodSeconds: -1 }],
])('%s %s with %j is refused', async (method, path, body) => {
  const bench = await refusing();
  expect((await bench.call(method, path, body)).status).toBe(400);
});
