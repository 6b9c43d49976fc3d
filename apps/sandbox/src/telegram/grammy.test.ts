import Fastify from 'fastify';
import { Bot, GrammyError, webhookCallback } from 'grammy';
import { expect, onTestFinished, test } from 'vitest';
import { demo } from '../demo.ts';
import { type Answered, type Bench, eventually, startBench } from '../testing/bench.ts';

/** grammY, the library of the product's bot, calls the sandbox as it calls Telegram. */
const olena = 500000001;

function createBot(bench: Bench): Bot {
  const bot = new Bot(demo.botToken, { client: { apiRoot: `${bench.url}/telegram`, timeoutSeconds: 40 } });
  bot.command('start', (ctx) =>
    ctx.reply(`payload ${ctx.match}`, { reply_markup: { inline_keyboard: [[{ text: 'Yes', callback_data: 'yes' }]] } }),
  );
  bot.on('callback_query:data', async (ctx) => {
    await ctx.answerCallbackQuery('thanks');
    await ctx.editMessageText(`chose ${ctx.callbackQuery.data}`);
  });
  return bot;
}
const write = (bench: Bench, text: string) => bench.call('POST', `/telegram/users/${olena}/messages`, { text });
const texts = async (bench: Bench): Promise<string[]> =>
  (await bench.call('GET', `/telegram/users/${olena}/messages`)).body.messages.map((m: Answered) => m.text);

test('a polling bot completes a whole conversation', async () => {
  const bench = await startBench();
  const bot = createBot(bench);
  const running = bot.start();
  await write(bench, '/start tok_123');
  await eventually(async () => expect(await texts(bench)).toEqual(['/start tok_123', 'payload tok_123']));
  const { messages } = (await bench.call('GET', `/telegram/users/${olena}/messages`)).body;
  await bench.call('POST', `/telegram/users/${olena}/press`, { message_id: messages[1].message_id, data: 'yes' });
  await eventually(async () => expect(await texts(bench)).toEqual(['/start tok_123', 'chose yes']));
  expect((await bench.call('GET', `/telegram/users/${olena}/messages`)).body.last_answer).toEqual({ text: 'thanks' });
  await bot.stop();
  await running;
});

test('a bot with a webhook is called with its secret', async () => {
  const bench = await startBench();
  const bot = createBot(bench);
  const product = Fastify({ forceCloseConnections: true });
  product.post('/tg', webhookCallback(bot, 'fastify', { secretToken: 'secret_1' }));
  onTestFinished(() => product.close());
  const url = await product.listen({ host: '127.0.0.1', port: 0 });
  await bot.api.setWebhook(`${url}/tg`, { secret_token: 'secret_1' });
  await write(bench, '/start abc');
  await eventually(async () => expect(await texts(bench)).toEqual(['/start abc', 'payload abc']));
});

test('grammY recognises the errors that the product handles', async () => {
  const bench = await startBench();
  const bot = createBot(bench);
  await write(bench, '/start');
  await bench.call('POST', `/telegram/users/${olena}/block`);
  const blocked = await bot.api.sendMessage(olena, 'Hi').catch((error) => error);
  expect(blocked).toBeInstanceOf(GrammyError);
  expect(blocked).toMatchObject({ error_code: 403, description: 'Forbidden: bot was blocked by the user' });
  await bench.call('POST', '/telegram/switches', { floodSeconds: 3 });
  const flooded = await bot.api.sendMessage(olena, 'Hi').catch((error) => error);
  expect(flooded).toMatchObject({ error_code: 429, parameters: { retry_after: 3 } });
});
