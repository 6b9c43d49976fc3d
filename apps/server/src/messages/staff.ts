import { type Audit, recordedOutcome } from '../platform/audit.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { SentMessages } from './sent.ts';

/** Messages that staff write to a user, once per request key. They leave with the step that records them. */
export interface StaffMessages {
  /** @refuses user_not_found */
  sms(message: StaffMessage, phone: string): Promise<void>;
  /** @refuses user_not_found, telegram_not_linked */
  telegram(message: StaffMessage, userId: number): Promise<void>;
}

interface Dependencies {
  steps: Steps;
  audit: Audit;
  sendSms: (step: Step, phone: string, text: string, record: number) => Promise<unknown>;
  sent: Pick<SentMessages, 'add'>;
  /** Null: no account has this number, or it was deleted. */
  userByPhone: (phone: string) => Promise<{ id: number } | null>;
  userById: (id: number) => Promise<{ id: number } | null>;
  /** False: this user has no Telegram to write to. */
  sendTelegram: (step: Step, user: number, text: string, staff: number) => Promise<boolean>;
}

interface StaffMessage {
  staff: number;
  text: string;
  requestKey: string;
}

/** Messages that staff write to a user. They leave with the step that records them. */
export function createStaffMessages({
  steps,
  audit,
  sendSms,
  sent,
  sendTelegram,
  userByPhone,
  userById,
}: Dependencies): StaffMessages {
  async function send(
    { staff, text, requestKey }: StaffMessage,
    action: string,
    work: (step: Step) => Promise<number>,
  ): Promise<void> {
    await steps.run(async (step) => {
      if (await recordedOutcome(step, requestKey)) return;
      const id = await work(step);
      await audit(step, { staff, action, subject: { kind: 'user', id }, personal: { text }, requestKey });
    });
  }

  return {
    sms: (message: StaffMessage, phone: string) =>
      send(message, 'user.send-sms', async (step) => {
        const user = await userByPhone(phone);
        if (!user) throw new Refusal('user_not_found');
        const { staff, text } = message;
        const record = await sent.add(step, { user: user.id, channel: 'sms', text, staff });
        await sendSms(step, phone, text, record);
        return user.id;
      }),

    telegram: (message: StaffMessage, userId: number) =>
      send(message, 'user.send-telegram', async (step) => {
        if (!(await userById(userId))) throw new Refusal('user_not_found');
        if (!(await sendTelegram(step, userId, message.text, message.staff))) throw new Refusal('telegram_not_linked');
        return userId;
      }),
  };
}
