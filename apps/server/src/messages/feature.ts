import type { Kopecks } from '@fpay/contract/money';
import type { Language } from '@fpay/contract/person';
import { inLanguage } from '@fpay/contract/translated';
import type { FastifyInstance } from 'fastify';
import type { Audit } from '../platform/audit.ts';
import type { Routes } from '../platform/http/routes.ts';
import { createLease } from '../platform/jobs/lease.ts';
import type { Outbox } from '../platform/outbox.ts';
import { runParts } from '../platform/parts.ts';
import type { Platform } from '../platform/platform.ts';
import type { Step } from '../platform/step.ts';
import type { UserTables } from '../platform/user-tables.ts';
import { createChannels } from './channels.ts';
import { createDelivery, type NoticeText } from './delivery.ts';
import { createNotices, type Notices } from './notices.ts';
import { createPushKeys, type PushKeyPair } from './push/keys.ts';
import { createPushSender } from './push/sending.ts';
import { createPushSubscriptions } from './push/subscriptions.ts';
import type { Recipients } from './recipients.ts';
import { messageRoutes } from './routes.ts';
import { createSentMessages } from './sent.ts';
import type { SmsOutcome, SmsSender } from './sms.ts';
import { phoneForLog, smsState } from './sms.ts';
import { createStaffMessages, type StaffMessages } from './staff.ts';
import { type BotServices, createBot, linkButtons } from './telegram/bot.ts';
import { createTelegramLinks } from './telegram/link.ts';
import { createBotRunner } from './telegram/runner.ts';
import { sendTelegramMessage, type TelegramMessage } from './telegram/sending.ts';
import { talk } from './telegram/texts.ts';
import { sms as smsTexts, uahText } from './texts.ts';
import {
  createTrackedMessages,
  type MessageReference,
  type MessageReport,
  type TrackedChannel,
  type TrackedState,
  type TrackedText,
} from './tracked.ts';
import { messageUserTables } from './user-tables.ts';

export interface TelegramSettings {
  token: string;
  apiRoot: string;
  /** True when Telegram sends updates to our public address, false when we poll for them. */
  usesWebhook: boolean;
}

export interface MessageDependencies extends Pick<Platform, 'db' | 'steps' | 'rows' | 'clock' | 'jobs' | 'log'> {
  secret: string;
  brand: string;
  publicUrl: string;
  /** `https://t.me/<bot>`, as the pages show it. */
  botUrl: string;
  sms: SmsSender;
  /** Null when there is no bot. */
  telegram: TelegramSettings | null;
  push: PushSettings;
  recipients: Recipients;
  services: BotServices;
  audit: Audit;
  /** Null: no account has this phone number or id, or it was deleted. */
  users: {
    credentials(phone: string): Promise<{ id: number } | null>;
    find(id: number): Promise<{ id: number } | null>;
  };
  /** Gets what became of a tracked message. */
  reported: MessageReport;
}

export interface PushSettings {
  /** Null to generate a pair once and keep it in the database. */
  keys: PushKeyPair | null;
  /** `mailto:` or `https:`. */
  contact: string;
  /** Hosts of the push services that a browser may name. */
  hosts: readonly string[];
}

type AccountNotice =
  | { kind: 'phone_changed'; newPhone: string }
  | { kind: 'password_changed' }
  | { kind: 'password_reset' }
  | { kind: 'allowance_stopped' }
  | { kind: 'party_left'; party: string; returned: Kopecks; kept: Kopecks }
  | { kind: 'party_invitation'; party: string }
  | { kind: 'account_deleted' };

/** Messages that leave the product. A message to a user who cannot be reached is dropped, not refused. */
export interface Messages {
  /** Once a minute: notices that were due and were not sent. */
  sweep(): Promise<void>;
  /** A one-time link for one user; null without a bot. */
  telegramLink: ((userId: number) => string) | null;
  /** Sends a notice about an operation, once per operation and kind. */
  notify: Notices['notify'];
  /** Queues a notice for the channels of a user; false when none reaches them. */
  deliver(step: Step, userId: number, textFor: (language: Language) => NoticeText): Promise<boolean>;
  /** Queues a message whose outcome is reported, and returns its channels; none reaches some guests. */
  deliverTracked(
    step: Step,
    userId: number,
    reference: MessageReference,
    textFor: (language: Language) => TrackedText,
  ): Promise<TrackedChannel[]>;
  /** What became of accepted SMS, by their ids. */
  smsDeliveries: SmsSender['deliveries'];
  /** Whether a notice that is worth an SMS would reach a user now. */
  isReachable(step: Step, userId: number): Promise<boolean>;
  userTables: UserTables;
  routes(routes: Routes): void;
  /** Queues a text in the step. */
  sendSms(step: Step, phone: string, text: string): Promise<void>;
  /** As above; false when this user has no linked Telegram. */
  sendTelegram(step: Step, userId: number, text: string): Promise<boolean>;
  /** Texts that a staff member writes, on record. */
  staff: StaffMessages;
  /** Messages that accounts send. */
  outgoing: OutgoingMessages;
  /** Called on a worker, after the jobs have started. */
  work(): Promise<void>;
  /** The webhook, on nodes that serve HTTP. */
  webhook(app: FastifyInstance): void;
  /** On workers: listens to the bot's chats and to operations. Returns a function that stops it. */
  start(outbox: Outbox): { stop(): Promise<void> };
}

export interface OutgoingMessages {
  /** Sends a one-time code at once; the outcome says whether to try another way. */
  code(phone: string, code: string, language: Language): Promise<SmsOutcome['kind']>;
  /** False: it could not be sent. */
  codeByTelegram(telegramId: number, code: string, language: Language): Promise<boolean>;
  notice(step: Step, phone: string, language: Language, notice: AccountNotice): Promise<void>;
  /** Asks in Telegram whether this chat belongs to the user. */
  askToLink(step: Step, telegramId: number, userId: number): Promise<void>;
}

/** Outgoing messages: SMS and the bot. All but one-time codes are queued in the step that causes them. */
export function createMessages(dependencies: MessageDependencies): Messages {
  const { db, steps, rows, clock, jobs, log, secret, brand, publicUrl, botUrl, sms, telegram, recipients, services } =
    dependencies;
  const keys = createPushKeys({ db, clock, secret, configured: dependencies.push.keys });
  const subscriptions = createPushSubscriptions({ db, clock, secret, hosts: dependencies.push.hosts });
  const sendPush = createPushSender({ subscriptions, keys, contact: dependencies.push.contact, log });
  const channels = createChannels({ db, browsersOf: subscriptions.idsOf, hasBot: telegram !== null });
  const sent = createSentMessages({ db, clock });
  const delivery = createDelivery({ channels, jobs, sent, brand, publicUrl });
  const deliverTracked = createTrackedMessages({ recipients, channels, jobs, publicUrl });
  const links = createTelegramLinks({ db, clock, secret, botUrl });
  const bot =
    telegram && createBot({ settings: { ...telegram, publicUrl }, recipients, links, steps, log, ...services });
  const runner =
    bot &&
    createBotRunner({
      bot,
      lease: createLease(db, 'telegram-bot'),
      webhook: telegram.usesWebhook ? { publicUrl, secret } : null,
      log,
    });

  const sendSms = (step: Step, phone: string, text: string, record?: number) =>
    jobs.send(step, 'messages.sms', { phone, text, ...(record !== undefined && { record }) });
  const queueTelegram = (step: Step, message: TelegramMessage) => jobs.send(step, 'messages.telegram', message);
  async function sendTelegram(step: Step, userId: number, text: string, staff: number | null = null): Promise<boolean> {
    const reader = await recipients.find(userId, step);
    if (!bot || !reader || reader.telegramId === null || reader.hasBlockedBot) return false;
    const record = await sent.add(step, { user: userId, channel: 'telegram', text, staff });
    await queueTelegram(step, { chat: reader.telegramId, text, record });
    return true;
  }
  const notices = createNotices({ db, steps, rows, clock, recipients, delivery });

  function noticeText(notice: AccountNotice, language: Language): string {
    switch (notice.kind) {
      case 'phone_changed':
        return inLanguage(smsTexts.phone_changed, language)({ brand, phone: phoneForLog(notice.newPhone) });
      case 'party_left': {
        const { party, returned, kept } = notice;
        const sums = { returned: uahText(returned, language), kept: uahText(kept, language) };
        return inLanguage(smsTexts.party_left, language)({ brand, party, ...sums });
      }
      case 'party_invitation':
        return inLanguage(
          smsTexts.party_invitation,
          language,
        )({ brand, party: notice.party, link: `${publicUrl}/account` });
      default:
        return inLanguage(smsTexts[notice.kind], language)({ brand });
    }
  }

  async function sweep(): Promise<void> {
    await runParts([
      { name: 'notices', run: notices.sweep },
      { name: 'links', run: links.removeOld },
      { name: 'sent', run: sent.removeOld },
    ]);
  }

  return {
    sweep,
    telegramLink: bot ? links.url : null,
    notify: notices.notify,
    async deliver(step, userId, textFor) {
      const reader = await recipients.find(userId, step);
      return reader !== null && delivery.deliver(step, reader, textFor(reader.language));
    },
    deliverTracked,
    smsDeliveries: sms.deliveries,
    async isReachable(step, userId) {
      const reader = await recipients.find(userId, step);
      return reader !== null && delivery.isReachable(step, reader);
    },
    userTables: messageUserTables,
    routes: (routes: Routes): void => messageRoutes(routes, { subscriptions, channels, keys }),
    sendSms,
    sendTelegram,
    staff: createStaffMessages({
      steps,
      audit: dependencies.audit,
      sendSms,
      sent,
      sendTelegram,
      userByPhone: dependencies.users.credentials,
      userById: dependencies.users.find,
    }),

    outgoing: {
      async code(phone: string, code: string, language: Language) {
        const { kind } = await sms.send(phone, inLanguage(smsTexts.code, language)({ brand, code }));
        return kind;
      },
      async codeByTelegram(telegramId: number, code: string, language: Language): Promise<boolean> {
        if (!bot) return false;
        const message = { chat: telegramId, text: inLanguage(talk, language).code(code) };
        return sendTelegramMessage(bot.api, message, recipients, log).catch(() => false);
      },
      async notice(step: Step, phone: string, language: Language, notice: AccountNotice): Promise<void> {
        await sendSms(step, phone, noticeText(notice, language));
      },
      async askToLink(step: Step, telegramId: number, userId: number): Promise<void> {
        const user = await recipients.find(userId, step);
        if (!bot || !user) return;
        const words = inLanguage(talk, user.language);
        const text = words.askLink(user.name, phoneForLog(user.phone));
        const buttons = linkButtons(links.askedToken(userId), words);
        await queueTelegram(step, { chat: telegramId, text, buttons });
      },
    },

    async work(): Promise<void> {
      type Sent = { reference?: MessageReference; record?: number };
      /** A message that was sent is not sent again because its outcome could not be stored. */
      async function settled(
        { reference, record }: Sent,
        channel: TrackedChannel,
        state: TrackedState,
        smsId?: string,
      ) {
        try {
          await sent.settle(record, state);
          if (reference) await dependencies.reported(reference, channel, state, smsId ?? null);
        } catch (error) {
          log.error({ err: error }, 'outcome of a message not stored');
        }
      }
      await jobs.work('messages.sms', async (job) => {
        const outcome = await sms.send(job.phone, job.text);
        await settled(job, 'sms', smsState(outcome), outcome.kind === 'sent' ? outcome.id : undefined);
        if (outcome.kind === 'failed' && outcome.canRetry) throw new Error(`SMS provider answered ${outcome.code}`);
      });
      await jobs.work('messages.telegram', async (message) => {
        const isSent = bot !== null && (await sendTelegramMessage(bot.api, message, recipients, log));
        await settled(message, 'telegram', isSent ? 'sent' : 'failed');
      });
      await jobs.work('messages.push', async (job) => {
        await settled(job, 'push', (await sendPush(job)) ? 'sent' : 'failed');
      });
      await jobs.work('messages.sweep', sweep);
      await jobs.schedule('messages.sweep', '* * * * *');
    },

    webhook(app: FastifyInstance): void {
      runner?.routes(app);
    },

    start(outbox: Outbox): { stop(): Promise<void> } {
      const warn = (error: unknown) => log.warn({ err: error }, 'driver notification failed');
      const unwatch = notices.watch(outbox, warn);
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
