import { createHmac } from 'node:crypto';
import { languages } from '@fpay/contract/languages';
import { inLanguage } from '@fpay/contract/translated';
import type { FastifyInstance } from 'fastify';
import type { Bot } from 'grammy';
import type { Logger } from 'pino';
import { type Lease, renewEveryMs } from '../../platform/jobs/lease.ts';
import { loadGrammy } from './library.ts';
import { talk } from './texts.ts';

const updates = ['message', 'callback_query', 'my_chat_member'] as const;
const pollSeconds = 25;
const webhookPath = '/telegram/webhook';

interface Dependencies {
  bot: Bot;
  lease: Lease;
  /** The address for Telegram's updates; null when we poll. */
  webhook: { publicUrl: string; secret: string } | null;
  log: Logger;
}

/** Receives updates: Telegram sends them to any node, or the node that holds the lease polls. */
export function createBotRunner({ bot, lease, webhook, log }: Dependencies) {
  const warn = (what: string) => (error: unknown) => log.warn({ failure: (error as Error).message }, what);
  let timer: NodeJS.Timeout | undefined;
  let hearing: { stop(): void; done: Promise<void> } | null = null;
  let tending: Promise<void> | null = null;
  let isPrepared = false;
  let isStopped = true;

  async function prepare(): Promise<void> {
    if (isPrepared) return;
    for (const language of languages) {
      const { commands } = inLanguage(talk, language);
      const list = Object.entries(commands).map(([command, description]) => ({ command, description }));
      await bot.api.setMyCommands(list, language === languages[0] ? {} : { language_code: language });
    }
    if (webhook) {
      const url = `${webhook.publicUrl}${webhookPath}`;
      await bot.api.setWebhook(url, { secret_token: secretOf(webhook.secret), allowed_updates: [...updates] });
    }
    isPrepared = true;
  }

  /** Runs until it is aborted, or until another poller, a bad token or a lost network makes it throw. */
  async function listen(signal: AbortSignal): Promise<void> {
    await bot.init(signal as never);
    await bot.api.deleteWebhook({}, signal as never);
    let offset = 0;
    while (!signal.aborted) {
      // Polling from an offset also confirms everything before it to Telegram.
      const options = { offset, timeout: pollSeconds, allowed_updates: updates };
      for (const update of await bot.api.getUpdates(options, signal as never)) {
        offset = update.update_id + 1;
        await bot.handleUpdate(update);
      }
    }
  }

  async function tend(): Promise<void> {
    const isOurs = await lease.hold();
    if (isStopped) return;
    if (!isOurs) {
      isPrepared = false;
      hearing?.stop();
      return;
    }
    await prepare();
    if (webhook || hearing) return;
    const stopping = new AbortController();
    const done = listen(stopping.signal)
      .catch((error) => {
        if (!stopping.signal.aborted) warn('the bot stopped listening and will try again')(error);
      })
      .finally(() => {
        hearing = null;
      });
    hearing = { stop: () => stopping.abort(), done };
  }

  return {
    /** On nodes that serve HTTP, when Telegram sends updates. */
    routes(app: FastifyInstance): void {
      if (!webhook) return;
      const { webhookCallback } = loadGrammy();
      const secretToken = secretOf(webhook.secret);
      app.post(webhookPath, webhookCallback(bot, 'fastify', { secretToken, timeoutMilliseconds: 8_000 }));
    },

    start(): void {
      isStopped = false;
      const look = () => {
        tending = tend()
          .catch(warn('the bot could not be tended'))
          .finally(() => {
            if (!isStopped) timer = setTimeout(look, renewEveryMs);
          });
      };
      look();
    },

    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      hearing?.stop();
      await tending;
      hearing?.stop();
      await hearing?.done;
      await lease.release().catch(() => {});
    },
  };
}

export type BotRunner = ReturnType<typeof createBotRunner>;

/** The same on every node, and the server's secret cannot be derived from it. */
function secretOf(secret: string): string {
  return createHmac('sha256', secret).update('telegram-webhook').digest('base64url');
}
