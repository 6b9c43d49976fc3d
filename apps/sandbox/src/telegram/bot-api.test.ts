import { expect, test, vi } from 'vitest';
import { demo } from '../demo.ts';
import {
  type Answered,
  type Bench,
  eventually,
  sharedBench,
  shortDelay,
  startBench,
  startReceiver,
} from '../testing/bench.ts';

const olena = 500000001;
const api = `/telegram/bot${demo.botToken}`;
const call = async (bench: Bench, method: string, sent?: object) =>
  (await bench.call('POST', `${api}/${method}`, sent)).body;
const write = (bench: Bench, text: string, user = olena) =>
  bench.call('POST', `/telegram/users/${user}/messages`, { text, first_name: 'Олена', language_code: 'uk' });
const chat = async (bench: Bench): Promise<Answered[]> =>
  (await bench.call('GET', `/telegram/users/${olena}/messages`)).body.messages;
const refusal = (error_code: number, description: string) => ({ ok: false, error_code, description });

const refusing = sharedBench();

test('getMe returns the bot', async () => {
  const bench = await refusing();
  expect(await call(bench, 'getMe')).toMatchObject({
    ok: true,
    result: { id: 7000000001, is_bot: true, first_name: 'FPay', username: 'fpay_demo_bot' },
  });
});

test('a wrong token is 401, a malformed one and an unknown method are 404', async () => {
  const bench = await refusing();
  expect((await bench.call('POST', '/telegram/bot123:abc/getMe')).body).toEqual(refusal(401, 'Unauthorized'));
  expect((await bench.call('POST', '/telegram/botabc/getMe')).body).toEqual(refusal(404, 'Not Found'));
  expect(await call(bench, 'launchRocket')).toEqual(refusal(404, 'Not Found'));
});

test("a person's message is an update, which is kept until it is confirmed", async () => {
  const bench = await startBench();
  await write(bench, '/start tok_123');
  const { result } = await call(bench, 'getUpdates');
  expect(result).toMatchObject([
    {
      update_id: expect.any(Number),
      message: {
        from: { id: olena, is_bot: false, first_name: 'Олена', language_code: 'uk' },
        chat: { id: olena, type: 'private', first_name: 'Олена' },
        date: 1794736800,
        text: '/start tok_123',
        entities: [{ type: 'bot_command', offset: 0, length: 6 }],
      },
    },
  ]);
  expect((await call(bench, 'getUpdates', { offset: result[0].update_id })).result).toHaveLength(1);
  expect((await call(bench, 'getUpdates', { offset: result[0].update_id + 1 })).result).toEqual([]);
  expect((await call(bench, 'getUpdates')).result).toEqual([]);
});

test('updates are returned in pages, from an offset, or the last ones', async () => {
  const bench = await startBench();
  for (const text of ['one', 'two', 'three']) await write(bench, text);
  const texts = async (sent: object) =>
    (await call(bench, 'getUpdates', sent)).result.map((update: Answered) => update.message.text);
  expect(await texts({ limit: 2 })).toEqual(['one', 'two']);
  expect(await texts({ offset: -1 })).toEqual(['three']);
  expect(await texts({})).toEqual(['three']);
});

test('a long poll waits for an update, and returns an empty list at its timeout', async () => {
  const bench = await startBench();
  const poll = call(bench, 'getUpdates', { timeout: 30 });
  await shortDelay();
  await write(bench, 'hello');
  const { result } = await poll;
  expect(result[0].message.text).toBe('hello');
  const idle = call(bench, 'getUpdates', { offset: result[0].update_id + 1, timeout: 30 });
  const ended = vi.fn();
  idle.then(ended);
  await eventually(() => {
    bench.clock.advance(30_000);
    expect(ended).toHaveBeenCalledWith({ ok: true, result: [] });
  });
});

test('a second poller ends the first with 409', async () => {
  const bench = await startBench();
  const first = call(bench, 'getUpdates', { timeout: 30 });
  await shortDelay();
  const second = call(bench, 'getUpdates', { timeout: 30 });
  expect(await first).toMatchObject({ ok: false, error_code: 409 });
  await write(bench, 'hi');
  expect((await second).result).toHaveLength(1);
});

test('updates that are not fetched are dropped after a day', async () => {
  const bench = await startBench();
  await write(bench, 'hello');
  bench.clock.advance(86_400_001);
  expect((await call(bench, 'getUpdates')).result).toEqual([]);
});

test('only the requested kinds of updates are returned', async () => {
  const bench = await startBench();
  await call(bench, 'getUpdates', { allowed_updates: ['callback_query', 'my_chat_member'] });
  await write(bench, 'not this');
  await bench.call('POST', `/telegram/users/${olena}/block`);
  const { result } = await call(bench, 'getUpdates');
  expect(result.map((update: object) => Object.keys(update)[1])).toEqual(['my_chat_member']);
});

test('pressing a button under a message is an update, and the bot answers it', async () => {
  const bench = await startBench();
  await write(bench, '/start');
  const keyboard = { inline_keyboard: [[{ text: 'Так', callback_data: 'yes' }]] };
  const { result } = await call(bench, 'sendMessage', { chat_id: olena, text: 'Під’єднати?', reply_markup: keyboard });
  expect(result).toMatchObject({
    from: { id: 7000000001, is_bot: true },
    chat: { id: olena },
    text: 'Під’єднати?',
    reply_markup: keyboard,
  });
  const { message_id } = result;
  const other = await bench.call('POST', `/telegram/users/${olena}/press`, { message_id, data: 'no' });
  expect(other.status).toBe(404);
  await bench.call('POST', `/telegram/users/${olena}/press`, { message_id, data: 'yes' });
  const updates = (await call(bench, 'getUpdates')).result;
  expect(updates[1].callback_query).toMatchObject({ from: { id: olena }, data: 'yes', message: { message_id } });
  const answer = { callback_query_id: updates[1].callback_query.id, text: 'Готово' };
  expect(await call(bench, 'answerCallbackQuery', answer)).toEqual({ ok: true, result: true });
  expect((await call(bench, 'answerCallbackQuery', answer)).error_code).toBe(400);
  expect((await bench.call('GET', `/telegram/users/${olena}/messages`)).body.last_answer).toEqual({ text: 'Готово' });
});

test('a press can be answered for 15 minutes', async () => {
  const bench = await startBench();
  await write(bench, '/start');
  const reply_markup = { inline_keyboard: [[{ text: 'A', callback_data: 'a' }]] };
  const { result } = await call(bench, 'sendMessage', { chat_id: olena, text: 'A?', reply_markup });
  const press = await bench.call('POST', `/telegram/users/${olena}/press`, {
    message_id: result.message_id,
    data: 'a',
  });
  bench.clock.advance(900_001);
  const late = await call(bench, 'answerCallbackQuery', { callback_query_id: press.body.callback_query.id });
  expect(late.description).toContain('query is too old');
});

test('a message is edited, loses its buttons, and is deleted', async () => {
  const bench = await startBench();
  await write(bench, '/start');
  const reply_markup = { inline_keyboard: [[{ text: 'Стоп', callback_data: 'stop' }]] };
  const sent = await call(bench, 'sendMessage', { chat_id: olena, text: 'Заряджає', reply_markup });
  const where = { chat_id: olena, message_id: sent.result.message_id };
  const same = await call(bench, 'editMessageText', { ...where, text: 'Заряджає', reply_markup });
  expect(same.description).toContain('message is not modified');
  await call(bench, 'editMessageText', { ...where, text: 'Зупиняє', reply_markup });
  expect((await chat(bench)).at(-1)).toMatchObject({ text: 'Зупиняє', reply_markup, edit_date: 1794736800 });
  await call(bench, 'editMessageReplyMarkup', where);
  expect((await chat(bench)).at(-1)).not.toHaveProperty('reply_markup');
  expect(await call(bench, 'deleteMessage', where)).toEqual({ ok: true, result: true });
  expect((await call(bench, 'deleteMessage', where)).description).toBe('Bad Request: message to delete not found');
  expect((await call(bench, 'editMessageText', { ...where, text: 'x' })).description).toBe(
    'Bad Request: message to edit not found',
  );
  expect(await chat(bench)).toHaveLength(1);
});

test('the bot cannot write first, nor to an unknown user, nor to one who blocked it', async () => {
  const bench = await startBench();
  const send = () => call(bench, 'sendMessage', { chat_id: olena, text: 'Hi' });
  expect(await send()).toEqual(refusal(400, 'Bad Request: chat not found'));
  await bench.call('POST', `/telegram/users/${olena}`, { first_name: 'Олена' });
  expect(await send()).toEqual(refusal(403, "Forbidden: bot can't initiate conversation with a user"));
  await write(bench, '/start');
  expect((await send()).ok).toBe(true);
  await bench.call('POST', `/telegram/users/${olena}/block`);
  expect(await send()).toEqual(refusal(403, 'Forbidden: bot was blocked by the user'));
  await bench.call('POST', `/telegram/users/${olena}/unblock`);
  expect((await send()).ok).toBe(true);
  const { result } = await call(bench, 'getUpdates');
  const members = result.flatMap((update: Answered) => update.my_chat_member?.new_chat_member.status ?? []);
  expect(members).toEqual(['kicked', 'member']);
});

test('429 reports how long to wait, for all callers or for one user', async () => {
  const bench = await startBench();
  await write(bench, '/start');
  await write(bench, '/start', 42);
  await bench.call('POST', '/telegram/switches', { user: olena, floodSeconds: 7 });
  const { status, body } = await bench.call('POST', `${api}/sendMessage`, { chat_id: olena, text: 'Hi' });
  expect([status, body]).toEqual([
    429,
    { ok: false, error_code: 429, description: 'Too Many Requests: retry after 7', parameters: { retry_after: 7 } },
  ]);
  expect((await call(bench, 'sendMessage', { chat_id: 42, text: 'Hi' })).ok).toBe(true);
  await bench.call('POST', '/telegram/switches', { user: String(olena), floodSeconds: null });
  expect((await call(bench, 'sendMessage', { chat_id: olena, text: 'Hi' })).ok).toBe(true);
});

test.each([
  ['error500', 500, 0],
  ['error500-done', 500, 1],
  ['refused:403', 403, 0],
])('sending can fail: %s', async (fault, code, sent) => {
  const bench = await startBench();
  await write(bench, '/start');
  await bench.call('POST', '/telegram/switches', { send: `${fault} x1` });
  expect((await call(bench, 'sendMessage', { chat_id: olena, text: 'Hi' })).error_code).toBe(code);
  expect((await chat(bench)).length - 1).toBe(sent);
  expect((await call(bench, 'sendMessage', { chat_id: olena, text: 'Hi' })).ok).toBe(true);
});

test.each([
  [{ text: 'a' }, 'chat_id is empty'],
  [{ chat_id: olena }, 'message text is empty'],
  [{ chat_id: olena, text: '  ' }, 'message text is empty'],
  [{ chat_id: olena, text: 'a'.repeat(4097) }, 'message is too long'],
  [{ chat_id: olena, text: 'a', reply_markup: '{broken' }, "can't parse reply keyboard markup JSON object"],
  [{ chat_id: olena, text: '<b>a', parse_mode: 'HTML' }, "can't parse entities"],
  [{ chat_id: olena, text: '1 < 2', parse_mode: 'HTML' }, "can't parse entities"],
  [
    { chat_id: olena, text: 'a', reply_markup: { inline_keyboard: [[{ text: 'a', callback_data: 'я'.repeat(33) }]] } },
    'BUTTON_DATA_INVALID',
  ],
  [{ chat_id: olena, text: 'a', reply_markup: { inline_keyboard: [[{ text: 'a' }]] } }, 'Text buttons are unallowed'],
])('the message %j is refused: %s', async (sent, complaint) => {
  const bench = await refusing();
  await write(bench, '/start');
  const answer = await call(bench, 'sendMessage', sent);
  expect(answer).toMatchObject({ ok: false, error_code: 400 });
  expect(answer.description).toContain(complaint);
});

test('HTML becomes text with entities, and the page shows it', async () => {
  const bench = await startBench();
  await write(bench, '/start');
  const { result } = await call(bench, 'sendMessage', {
    chat_id: String(olena),
    text: '<b>1 &lt; 2</b> &amp; <a href="https://a.ua">тут</a>',
    parse_mode: 'HTML',
  });
  expect(result).toMatchObject({
    text: '1 < 2 & тут',
    entities: [
      { type: 'bold', offset: 0, length: 5 },
      { type: 'text_link', offset: 8, length: 3, url: 'https://a.ua' },
    ],
  });
  const page = await bench.call('GET', `/telegram/chat?user=${olena}`);
  expect(page.text).toContain('<strong>1 &lt; 2</strong> &amp; тут');
});

test('commands are stored by language', async () => {
  const bench = await startBench();
  const commands = [{ command: 'status', description: 'Заряджання' }];
  await call(bench, 'setMyCommands', { commands, language_code: 'uk' });
  expect((await call(bench, 'getMyCommands', { language_code: 'uk' })).result).toEqual(commands);
  expect((await call(bench, 'getMyCommands')).result).toEqual([]);
  await call(bench, 'deleteMyCommands', { language_code: 'uk' });
  expect((await call(bench, 'getMyCommands', { language_code: 'uk' })).result).toEqual([]);
});

test('parameters may come in the address or as a form', async () => {
  const bench = await startBench();
  await write(bench, '/start');
  expect((await bench.call('GET', `${api}/sendMessage?chat_id=${olena}&text=Hi`)).body.result.text).toBe('Hi');
  const form = await bench.app.inject({
    method: 'POST',
    url: `${api}/sendMessage`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      chat_id: String(olena),
      text: 'Ho',
      reply_markup: JSON.stringify({ inline_keyboard: [[{ text: 'a', callback_data: 'a' }]] }),
    }).toString(),
  });
  expect(form.json().result.reply_markup.inline_keyboard[0][0].text).toBe('a');
});

test('a webhook gets every update once, in order, with the secret; a failed one is repeated', async () => {
  const bench = await startBench();
  const receiver = await startReceiver();
  receiver.answers = [200, 500];
  await write(bench, 'before');
  await call(bench, 'setWebhook', { url: receiver.url, secret_token: 'secret_1' });
  await eventually(() => expect(receiver.received).toHaveLength(1));
  expect(receiver.received[0]?.headers['x-telegram-bot-api-secret-token']).toBe('secret_1');
  expect((await call(bench, 'getUpdates')).error_code).toBe(409);
  await write(bench, 'fails');
  await write(bench, 'waits');
  await eventually(async () => {
    expect((await call(bench, 'getWebhookInfo')).result).toMatchObject({
      url: receiver.url,
      pending_update_count: 2,
      last_error_date: 1794736800,
      last_error_message: expect.stringContaining('500'),
    });
  });
  expect(receiver.received).toHaveLength(2);
  bench.clock.advance(1000);
  await eventually(() => expect(receiver.received).toHaveLength(4));
  expect(receiver.received.map(({ json }) => json.message.text)).toEqual(['before', 'fails', 'fails', 'waits']);
  await call(bench, 'deleteWebhook');
  expect((await call(bench, 'getWebhookInfo')).result).toMatchObject({ url: '' });
  await write(bench, 'after');
  expect((await call(bench, 'getUpdates')).result).toHaveLength(1);
});

test('a webhook may answer with a Bot API call', async () => {
  const bench = await startBench();
  const receiver = await startReceiver();
  receiver.reply = JSON.stringify({ method: 'sendMessage', chat_id: olena, text: 'Одразу' });
  await call(bench, 'setWebhook', { url: receiver.url });
  await write(bench, '/start');
  await eventually(async () => expect((await chat(bench)).at(-1).text).toBe('Одразу'));
});

test.each([
  [{ url: 'ftp://a.ua' }],
  [{ url: 'nonsense' }],
  [{ url: 'https://a.ua', secret_token: 'білий' }],
  [{ url: 'https://a.ua', max_connections: 101 }],
])('the webhook %j is refused', async (sent) => {
  const bench = await refusing();
  expect(await call(bench, 'setWebhook', sent)).toMatchObject({ ok: false, error_code: 400 });
});

test('pending updates can be dropped with the webhook', async () => {
  const bench = await startBench();
  await write(bench, 'old');
  await call(bench, 'deleteWebhook', { drop_pending_updates: true });
  expect((await call(bench, 'getUpdates')).result).toEqual([]);
});
