import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { phoneForLog, type SmsDelivery, type SmsOutcome, type SmsSender } from '../sms.ts';
import { isAccepted, meaningOf } from './codes.ts';

/** Drivers wait for the code; after this time they press "send again" anyway. */
const defaultTimeoutMs = 9_000;

export interface TurboSmsSettings {
  /** `https://api.turbosms.ua`, or a replacement. */
  url: string;
  token: string;
  /** The alpha-name approved in the provider's account, at most 11 characters. */
  sender: string;
  answerWithinMs?: number;
}

const Answer = z.object({
  response_code: z.int(),
  response_result: z.optional(
    z.nullable(z.array(z.object({ response_code: z.int(), message_id: z.optional(z.nullable(z.string())) }))),
  ),
});

const Statuses = z.object({
  response_result: z.optional(
    z.nullable(z.array(z.object({ message_id: z.string(), status: z.optional(z.nullable(z.string())) }))),
  ),
});

/** The final words of the provider; with every other one the message is on its way. */
const finalStatuses: Readonly<Record<string, SmsDelivery>> = {
  Delivered: 'delivered',
  Read: 'delivered',
  Undelivered: 'failed',
  Expired: 'failed',
  Rejected: 'failed',
  Failed: 'failed',
  Cancelled: 'failed',
};

/** Connections that were never made, so nothing was sent. After any other failure the message may have arrived. */
const neverLeft = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

/** TurboSMS answers 200 to everything and reports the outcome in the body. Texts and codes are never logged. */
export function createTurboSms(
  { url, token, sender, answerWithinMs = defaultTimeoutMs }: TurboSmsSettings,
  log: Logger,
): SmsSender {
  async function ask(call: 'send' | 'status', body: object): Promise<unknown> {
    const response = await fetch(`${url}/message/${call}.json`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(answerWithinMs),
    });
    return response.json();
  }

  function refused(code: number, phone: string): SmsOutcome {
    const meaning = meaningOf(code);
    const fields = { provider: 'turbosms', answer: code, phone: phoneForLog(phone) };
    if (meaning === 'bad_number') {
      log.warn(fields, 'SMS number refused');
      return { kind: 'bad_number', code };
    }
    log.error({ ...fields, alert: `sms_${meaning}` }, 'SMS refused');
    return { kind: 'failed', code, canRetry: meaning === 'later' };
  }

  return {
    async send(phone, text) {
      let body: unknown;
      try {
        body = await ask('send', { recipients: [phone.replace(/\D/g, '')], sms: { sender, text } });
      } catch (error) {
        const code = ((error as Error).cause as { code?: string } | undefined)?.code ?? (error as Error).name;
        log.warn({ provider: 'turbosms', failure: code, phone: phoneForLog(phone) }, 'SMS answer missing');
        return neverLeft.has(code) ? { kind: 'failed', code: null, canRetry: true } : { kind: 'unknown' };
      }
      const answer = z.safeParse(Answer, body);
      if (!answer.success) {
        log.warn({ provider: 'turbosms', phone: phoneForLog(phone) }, 'SMS answer invalid');
        return { kind: 'unknown' };
      }
      const { response_code, response_result } = answer.data;
      const item = response_result?.[0];
      if (!isAccepted(response_code)) return refused(item?.response_code || response_code, phone);
      if (item?.response_code === 0 && item.message_id) return { kind: 'sent', id: item.message_id };
      return item ? refused(item.response_code, phone) : { kind: 'unknown' };
    },

    async deliveries(ids) {
      const answer = ids.length === 0 ? null : z.safeParse(Statuses, await ask('status', { messages: ids }));
      if (answer && !answer.success) log.warn({ provider: 'turbosms' }, 'SMS status invalid');
      const items = answer?.data?.response_result ?? [];
      return new Map(
        items.flatMap(({ message_id: id, status }) => {
          const delivery = finalStatuses[status ?? ''];
          return delivery === undefined ? [] : [[id, delivery] as const];
        }),
      );
    },
  };
}
