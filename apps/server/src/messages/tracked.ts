import type { Language } from '@fpay/contract/person';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Step } from '../platform/step.ts';
import type { Channels } from './channels.ts';
import type { Recipients } from './recipients.ts';

/** The row of another feature that shows what became of a message. */
export interface MessageReference {
  entry: number;
}

export type TrackedChannel = 'push' | 'telegram' | 'sms';

/**
 * What a channel reports: the push service or Telegram took the message (`sent`), the SMS provider took it (`accepted`),
 * it was refused (`failed`), or no answer came (`unknown`).
 */
export type TrackedState = 'sent' | 'accepted' | 'failed' | 'unknown';

export type MessageReport = (
  reference: MessageReference,
  channel: TrackedChannel,
  state: TrackedState,
  /** The provider's id of an accepted SMS, by which its delivery is asked for. */
  smsId: string | null,
) => Promise<void>;

/** A personal message in the language of its reader, for every channel. */
export interface TrackedText {
  title: string;
  body: string;
  chat: string;
  sms: string;
  path: `/${string}`;
  /** A later message with the same tag replaces this one on the device. */
  tag: string;
  ttlSeconds: number;
}

interface Dependencies {
  recipients: Recipients;
  channels: Channels;
  jobs: Pick<Jobs, 'send'>;
  publicUrl: string;
}

/**
 * Queues a message that a driver waits for: to every browser with push and to a linked Telegram, and by SMS when neither
 * is there. The driver has asked for it, so it does not need the choice of SMS for notices.
 */
export function createTrackedMessages({ recipients, channels, jobs, publicUrl }: Dependencies) {
  return async (
    step: Step,
    userId: number,
    reference: MessageReference,
    textFor: (language: Language) => TrackedText,
  ): Promise<TrackedChannel[]> => {
    const reader = await recipients.find(userId, step);
    if (!reader) return [];
    const { title, body, chat: chatText, sms, path, tag, ttlSeconds } = textFor(reader.language);
    const { browsers, chat } = await channels.reachOf(step, reader);
    const navigate = new URL(path, publicUrl).href;
    const notification = { title, body, lang: reader.language, tag, navigate };
    for (const subscription of browsers) {
      const message = { web_push: 8030, notification } as const;
      await jobs.send(step, 'messages.push', { subscription, message, ttlSeconds, reference });
    }
    if (chat !== null) await jobs.send(step, 'messages.telegram', { chat, text: chatText, reference });
    const isReached = browsers.length > 0 || chat !== null;
    // A guest has no phone: its number is a placeholder.
    const byPhone = !isReached && reader.phone.startsWith('+');
    if (byPhone) await jobs.send(step, 'messages.sms', { phone: reader.phone, text: sms, reference });
    const used = { push: browsers.length > 0, telegram: chat !== null, sms: byPhone };
    return (Object.keys(used) as TrackedChannel[]).filter((channel) => used[channel]);
  };
}
