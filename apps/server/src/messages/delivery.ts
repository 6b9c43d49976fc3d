import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Step } from '../platform/step.ts';
import type { Channels, Reach } from './channels.ts';
import type { Recipient } from './recipients.ts';
import type { SentChannel, SentMessages } from './sent.ts';

/** One notice in the reader's language, for every channel. */
export interface NoticeText {
  /** Without a mark or the name of the product: a notification has its own. */
  title: string;
  /** One or two sentences that stand alone. */
  body: string;
  /** The whole text for a chat. */
  chat: string;
  /** The page that a tap opens. */
  path: `/${string}`;
  /** A later notice with the same tag replaces this one on the device. */
  tag: string;
  /** A notice that is worth an SMS where nothing else reaches the reader. */
  isForSms: boolean;
  /** The reader must learn of it, so it is an SMS where nothing else reaches them, chosen or not. */
  needsTelling?: boolean;
  ttlSeconds: number;
}

interface Dependencies {
  channels: Channels;
  jobs: Pick<Jobs, 'send'>;
  sent: Pick<SentMessages, 'add'>;
  brand: string;
  publicUrl: string;
}

/** Queues one notice in the step, for the channels that the reader has chosen and that can reach them. */
export function createDelivery({ channels, jobs, sent, brand, publicUrl }: Dependencies) {
  async function queue(step: Step, { browsers, chat, phone }: Reach, reader: Recipient, text: NoticeText) {
    const keep = (channel: SentChannel, said: string) =>
      sent.add(step, { user: reader.id, channel, text: said, staff: null });
    const { title, body, tag, path, ttlSeconds } = text;
    const navigate = new URL(path, publicUrl).href;
    const pushed = browsers.length > 0 ? await keep('push', `${title}. ${body}`) : undefined;
    for (const subscription of browsers) {
      const message = { web_push: 8030, notification: { title, body, lang: reader.language, tag, navigate } } as const;
      await jobs.send(step, 'messages.push', {
        subscription,
        message,
        ttlSeconds,
        ...(pushed !== undefined && { record: pushed }),
      });
    }
    if (chat !== null) {
      const record = await keep('telegram', text.chat);
      await jobs.send(step, 'messages.telegram', { chat, text: text.chat, record });
    }
    if (phone !== null && text.isForSms) {
      const sms = `${brand}: ${title}. ${body}`;
      await jobs.send(step, 'messages.sms', { phone, text: sms, record: await keep('sms', sms) });
    }
  }

  const reaches = ({ browsers, chat, phone }: Reach) => browsers.length > 0 || chat !== null || phone !== null;

  return {
    isReachable: async (step: Step, reader: Recipient): Promise<boolean> =>
      reaches(await channels.reachOf(step, reader)),

    /** False when no channel reaches the reader. A notice that is not worth an SMS counts as delivered without one. */
    async deliver(step: Step, reader: Recipient, text: NoticeText): Promise<boolean> {
      const reach = await channels.reachOf(step, reader, text);
      const isReached = reaches(reach);
      if (isReached) await queue(step, reach, reader, text);
      return isReached;
    },
  };
}

export type Delivery = ReturnType<typeof createDelivery>;
