import type { OpenStatus } from '@fpay/contract/charging';
import { languageOfTag } from '@fpay/contract/languages';
import { unstorablePaths } from '@fpay/contract/text';
import { inLanguage } from '@fpay/contract/translated';
import type { Bot, Context } from 'grammy';
import type { Logger } from 'pino';
import type { Steps } from '../../platform/step.ts';
import type { Recipient, Recipients } from '../recipients.ts';
import { phoneForLog } from '../sms.ts';
import { kwhText, uahText } from '../texts.ts';
import { loadGrammy } from './library.ts';
import type { TelegramLinks } from './link.ts';
import { talk } from './texts.ts';

export interface BotCharge {
  id: number;
  status: OpenStatus;
  station: string;
  energyWh: number;
  total: number;
}

/** What the bot needs from the other features. */
export interface BotServices {
  openOperations(userId: number): Promise<BotCharge[]>;
  /** Checks that the operation belongs to the user. False when it cannot be stopped. */
  stop(userId: number, operationId: number): Promise<boolean>;
  balanceOf(userId: number): Promise<number>;
}

export interface BotSettings {
  token: string;
  /** `https://api.telegram.org`, or a replacement; without a slash at the end. */
  apiRoot: string;
  /** The page where drivers sign up. */
  publicUrl: string;
}

interface Dependencies extends BotServices {
  settings: BotSettings;
  recipients: Recipients;
  links: TelegramLinks;
  steps: Steps;
  log: Logger;
}

/** Longer than a long poll; otherwise the library aborts a healthy one. */
const answerWithinSeconds = 40;

/** The conversation with users. A Telegram account is linked only after its user has confirmed. */
export function createBot({ settings, recipients, links, steps, log, ...services }: Dependencies): Bot {
  const { Bot } = loadGrammy();
  const bot = new Bot(settings.token, {
    client: { apiRoot: settings.apiRoot, timeoutSeconds: answerWithinSeconds },
  });
  const languageOf = (ctx: Context, user: Recipient | null) =>
    user?.language ?? languageOfTag(ctx.from?.language_code ?? '');
  const wordsFor = (ctx: Context, user: Recipient | null) => inLanguage(talk, languageOf(ctx, user));

  // A message that cannot be answered must not block the others or be delivered again before them.
  bot.use(async (_ctx, next) => {
    try {
      await next();
    } catch (error) {
      // Errors of the library may contain the address and with it the token, so only their message is logged.
      log.warn({ failure: (error as Error).message }, 'bot answer failed');
    }
  });

  // Checked for every update, polled or received by the webhook, so that handlers only get text that can be stored.
  bot.use(async (ctx, next) => {
    if (unstorablePaths(ctx.update).length === 0) return next();
    log.warn({ update: ctx.update.update_id }, 'bot update refused');
  });

  // Groups and other bots have no account. A block by the user also arrives as an update of a private chat.
  const people = bot.chatType('private').filter((ctx) => ctx.from !== undefined && !ctx.from.is_bot);

  people.on('my_chat_member', async (ctx) => {
    await recipients.setBlocked(ctx.from.id, ctx.myChatMember.new_chat_member.status === 'kicked');
  });

  people.command('start', async (ctx) => {
    const user = await recipients.byTelegram(ctx.from.id);
    const words = wordsFor(ctx, user);
    if (user) await recipients.setBlocked(ctx.from.id, false);
    if (ctx.match === '') {
      await ctx.reply(user ? words.hello(user.name) : words.stranger(`${settings.publicUrl}/reg/${ctx.from.id}`));
      return;
    }
    const userId = await links.userOf(ctx.match);
    const wanted = userId === null ? null : await recipients.find(userId);
    if (!wanted) {
      await ctx.reply(words.linkExpired);
      return;
    }
    await ctx.reply(words.askLink(wanted.name, phoneForLog(wanted.phone)), {
      reply_markup: linkButtons(ctx.match, words),
    });
  });

  people.command('status', async (ctx) => {
    const user = await recipients.byTelegram(ctx.from.id);
    const words = wordsFor(ctx, user);
    if (!user) return void (await ctx.reply(words.linkFirst));
    const charges = await services.openOperations(user.id);
    if (charges.length === 0) return void (await ctx.reply(words.noCharges));
    const lines = charges.map(({ id, status, station, energyWh, total }) =>
      words.charge({
        station,
        operation: id,
        kwh: kwhText(energyWh, user.language),
        uah: uahText(total, user.language),
        status: words.statuses[status],
      }),
    );
    const buttons = charges
      .filter(({ status }) => status !== 'finishing')
      .map(({ id }) => [{ text: words.stop(id), callback_data: `stop:${id}` }]);
    await ctx.reply(lines.join('\n'), buttons.length > 0 ? { reply_markup: { inline_keyboard: buttons } } : {});
  });

  people.command('balance', async (ctx) => {
    const user = await recipients.byTelegram(ctx.from.id);
    const words = wordsFor(ctx, user);
    await ctx.reply(user ? words.balance(uahText(await services.balanceOf(user.id), user.language)) : words.linkFirst);
  });

  people.command('unlink', async (ctx) => {
    const user = await recipients.byTelegram(ctx.from.id);
    const words = wordsFor(ctx, user);
    if (user) await recipients.unlink(user.id);
    await ctx.reply(user ? words.unlinked : words.linkFirst);
  });

  people.callbackQuery(/^stop:(\d{1,16})$/, async (ctx) => {
    const user = await recipients.byTelegram(ctx.from.id);
    const words = wordsFor(ctx, user);
    const isStopped = user !== null && (await services.stop(user.id, Number(ctx.match[1])));
    await ctx.answerCallbackQuery(isStopped ? words.stopping : words.cannotStop);
  });

  people.callbackQuery(/^link:([A-Za-z0-9_-]{42})$/, async (ctx) => {
    const words = wordsFor(ctx, await recipients.byTelegram(ctx.from.id));
    const token = ctx.match[1] ?? '';
    const outcome = await steps.run(async (step) => {
      const userId = await links.consume(step, token);
      if (userId === null) return 'linkExpired';
      return (await recipients.link(step, userId, ctx.from.id)) ? 'linked' : 'telegramTaken';
    });
    await ctx.answerCallbackQuery();
    await ctx.editMessageText(words[outcome]);
  });

  people.callbackQuery('link-no', async (ctx) => {
    await ctx.answerCallbackQuery();
    await ctx.editMessageText(wordsFor(ctx, await recipients.byTelegram(ctx.from.id)).notLinked);
  });

  return bot;
}

export function linkButtons(token: string, { yes, no }: { yes: string; no: string }) {
  return {
    inline_keyboard: [
      [
        { text: yes, callback_data: `link:${token}` },
        { text: no, callback_data: 'link-no' },
      ],
    ],
  };
}
