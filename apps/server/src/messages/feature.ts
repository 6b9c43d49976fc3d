import type { Language } from '@fpay/contract/person';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Jobs } from '../platform/jobs.ts';
import type { Outbox } from '../platform/outbox.ts';
import { runParts } from '../platform/parts.ts';
import type { RowLoops } from '../platform/row-loops.ts';
import type { Step, Steps } from '../platform/step.ts';
import { createLease } from './lease.ts';
import { createNotices } from './notices.ts';
import type { Recipients } from './recipients.ts';
import type { SmsSender } from './sms.ts';
import { maskedPhone } from './sms.ts';
import { type BotWorld, createBot, linkButtons } from './telegram/bot.ts';
import { createTelegramLinks } from './telegram/link.ts';
import { createBotRunner } from './telegram/runner.ts';
import { sendTelegram, type TelegramMessage } from './telegram/sending.ts';
import { talk } from './telegram/texts.ts';
import { sms as smsTexts } from './texts.ts';

export interface TelegramSettings {
  token: string;
  apiRoot: string;
  /** True: Telegram brings updates to our public address; false: we ask for them. */
  usesWebhook: boolean;
}

export interface MessageDependencies {
  db: Database;
  steps: Steps;
  rows: RowLoops;
  clock: Clock;
  jobs: Jobs;
  log: Logger;
  secret: string;
  brand: string;
  publicUrl: string;
  /** `https://t.me/<bot>`, as the pages show it. */
  botUrl: string;
  sms: SmsSender;
  /** Null: no bot. */
  telegram: TelegramSettings | null;
  recipients: Recipients;
  world: BotWorld;
}

interface SmsJob {
  phone: string;
  text: string;
}

type News = { kind: 'phone_changed'; newPhone: string } | { kind: 'password_changed' } | { kind: 'account_deleted' };

/** Messages that leave the product: SMS and the bot. All but one-time codes leave with the step that causes them. */
export function createMessages(dependencies: MessageDependencies) {
  const { db, steps, rows, clock, jobs, log, secret, brand, publicUrl, botUrl, sms, telegram, recipients, world } =
    dependencies;
  const links = createTelegramLinks({ db, clock, secret, botUrl });
  const bot = telegram && createBot({ settings: { ...telegram, publicUrl }, recipients, links, steps, log, ...world });
  const runner =
    bot &&
    createBotRunner({
      bot,
      lease: createLease(db, 'telegram-bot'),
      webhook: telegram.usesWebhook ? { publicUrl, secret } : null,
      log,
    });

  const sendSms = (step: Step, phone: string, text: string) =>
    jobs.send(step, 'messages.sms', { phone, text } satisfies SmsJob);
  const queueTelegram = (step: Step, message: TelegramMessage) => jobs.send(step, 'messages.telegram', message);
  const notices = createNotices({
    db,
    steps,
    rows,
    clock,
    recipients,
    send: (step, chat, text) => queueTelegram(step, { chat, text }),
  });

  async function sweep(): Promise<void> {
    await runParts([
      ...(bot ? [{ name: 'notices', run: notices.sweep }] : []),
      { name: 'links', run: links.removeOld },
    ]);
  }

  return {
    sweep,
    /** A link that knows whom it was made for; null without a bot. */
    telegramLink: bot ? links.url : null,
    notify: notices.notify,
    /** Text of a staff member's own; with the step that records it. */
    sendSms,
    /** False: this user has no Telegram to write to. */
    async sendTelegram(step: Step, userId: number, text: string): Promise<boolean> {
      const reader = await recipients.find(userId, step);
      if (!bot || !reader || reader.telegramId === null || reader.hasBlockedBot) return false;
      await queueTelegram(step, { chat: reader.telegramId, text });
      return true;
    },

    /** What accounts ask for. */
    outgoing: {
      async code(phone: string, code: string, language: Language) {
        const { kind } = await sms.send(phone, smsTexts.code[language]({ brand, code }));
        return kind;
      },
      async codeByTelegram(telegramId: number, code: string, language: Language): Promise<boolean> {
        if (!bot) return false;
        const message = { chat: telegramId, text: talk[language].code(code) };
        return sendTelegram(bot.api, message, recipients, log).catch(() => false);
      },
      async news(step: Step, phone: string, language: Language, news: News): Promise<void> {
        const text =
          news.kind === 'phone_changed'
            ? smsTexts.phone_changed[language]({ brand, phone: maskedPhone(news.newPhone) })
            : smsTexts[news.kind][language]({ brand });
        await sendSms(step, phone, text);
      },
      async askToLink(step: Step, telegramId: number, userId: number): Promise<void> {
        const user = await recipients.find(userId, step);
        if (!bot || !user) return;
        const words = talk[user.language];
        const text = words.askLink(user.name, maskedPhone(user.phone));
        const buttons = linkButtons(links.askedToken(userId), words);
        await queueTelegram(step, { chat: telegramId, text, buttons });
      },
    },

    /** On a worker, after the jobs have started. */
    async work(): Promise<void> {
      await jobs.work<SmsJob>('messages.sms', async ({ phone, text }) => {
        const outcome = await sms.send(phone, text);
        if (outcome.kind === 'failed' && outcome.canRetry) throw new Error(`SMS provider answered ${outcome.code}`);
      });
      await jobs.work<TelegramMessage>('messages.telegram', async (message) => {
        if (bot) await sendTelegram(bot.api, message, recipients, log);
      });
      await jobs.work('messages.sweep', sweep);
      await jobs.schedule('messages.sweep', '* * * * *');
    },

    /** The webhook, on nodes that answer HTTP. */
    routes(app: FastifyInstance): void {
      runner?.routes(app);
    },

    /** On workers: listens to the bot's chats and to operations. Returns how to stop. */
    start(outbox: Outbox): { stop(): Promise<void> } {
      const warn = (error: unknown) => log.warn({ err: error }, 'drivers could not be told, the sweep will');
      const unwatch = bot ? notices.watch(outbox, warn) : () => {};
      runner?.start();
      return {
        async stop() {
          unwatch();
          await runner?.stop();
        },
      };
    },
  };
}

export type Messages = ReturnType<typeof createMessages>;
