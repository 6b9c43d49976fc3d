import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from 'grammy';
import type { InlineKeyboardMarkup } from 'grammy/types';
import type { Logger } from 'pino';
import type { Recipients } from '../recipients.ts';
import type { MessageReference } from '../tracked.ts';
import { loadGrammy } from './library.ts';

export interface TelegramMessage {
  chat: number;
  text: string;
  buttons?: InlineKeyboardMarkup;
  /** What shows the outcome; most have none. */
  reference?: MessageReference;
  /** Its row among the messages that are kept. */
  record?: number;
}

/** A short rate-limit pause is waited out here; for a long one the queue retries later. */
const longestWaitSeconds = 10;

/** Sends one message. Returns false when it can never be delivered; throws when a retry makes sense. */
export async function sendTelegramMessage(
  api: Api,
  { chat, text, buttons }: TelegramMessage,
  recipients: Pick<Recipients, 'setBlocked'>,
  log: Logger,
): Promise<boolean> {
  const { GrammyError } = loadGrammy();
  for (let isAgain = false; ; isAgain = true) {
    try {
      await api.sendMessage(chat, text, buttons ? { reply_markup: buttons } : {});
      return true;
    } catch (error) {
      // The library's network errors contain the address and with it the token, so a new error with a safe text is
      // thrown.
      if (!(error instanceof GrammyError)) throw new Error('Telegram does not answer');
      const { error_code: code, parameters } = error;
      if (code === 403) {
        await recipients.setBlocked(chat, true);
        return false;
      }
      const waitSeconds = parameters.retry_after ?? 0;
      if (code === 429 && !isAgain && waitSeconds <= longestWaitSeconds) {
        await pause(waitSeconds * 1000);
        continue;
      }
      if (code === 429 || code >= 500) throw new Error(`Telegram answered ${code}`);
      log.error({ answer: code, ...(code === 401 && { alert: 'telegram_token' }) }, 'Telegram message refused');
      return false;
    }
  }
}
