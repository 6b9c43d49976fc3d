import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { maskedPhone, type SmsOutcome, type SmsSender } from '../sms.ts';
import { isAccepted, meaningOf } from './codes.ts';

/** Drivers wait with the phone in their hand; past this they press "send again" anyway. */
const usualPatienceMs = 9_000;

export interface TurboSmsSettings {
  /** `https://api.turbosms.ua`, or a stand-in. */
  url: string;
  token: string;
  /** The alpha-name approved in the cabinet, at most 11 characters. */
  sender: string;
  answerWithinMs?: number;
}

const Answer = z.object({
  response_code: z.int(),
  response_result: z.optional(
    z.nullable(z.array(z.object({ response_code: z.int(), message_id: z.optional(z.nullable(z.string())) }))),
  ),
});

/** Connections that were never made: nothing was sent. Everything else that breaks may have arrived. */
const neverLeft = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

/** TurboSMS answers 200 to everything and says in the body what it thought of it. Texts and codes are never logged. */
export function createTurboSms(
  { url, token, sender, answerWithinMs = usualPatienceMs }: TurboSmsSettings,
  log: Logger,
): SmsSender {
  async function ask(phone: string, text: string): Promise<unknown> {
    const response = await fetch(`${url}/message/send.json`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ recipients: [phone.replace(/\D/g, '')], sms: { sender, text } }),
      redirect: 'error',
      signal: AbortSignal.timeout(answerWithinMs),
    });
    return response.json();
  }

  function refused(code: number, phone: string): SmsOutcome {
    const meaning = meaningOf(code);
    const fields = { provider: 'turbosms', answer: code, phone: maskedPhone(phone) };
    if (meaning === 'bad_number') {
      log.warn(fields, 'an SMS was refused for its number');
      return { kind: 'bad_number', code };
    }
    log.error({ ...fields, alert: `sms_${meaning}` }, 'an SMS was refused');
    return { kind: 'failed', code, canRetry: meaning === 'later' };
  }

  return {
    async send(phone, text) {
      let body: unknown;
      try {
        body = await ask(phone, text);
      } catch (error) {
        const code = ((error as Error).cause as { code?: string } | undefined)?.code ?? (error as Error).name;
        log.warn({ provider: 'turbosms', failure: code, phone: maskedPhone(phone) }, 'no answer about an SMS');
        return neverLeft.has(code) ? { kind: 'failed', code: null, canRetry: true } : { kind: 'unknown' };
      }
      const answer = z.safeParse(Answer, body);
      if (!answer.success) {
        log.warn({ provider: 'turbosms', phone: maskedPhone(phone) }, 'an answer about an SMS made no sense');
        return { kind: 'unknown' };
      }
      const { response_code, response_result } = answer.data;
      const item = response_result?.[0];
      if (!isAccepted(response_code)) return refused(item?.response_code || response_code, phone);
      if (item?.response_code === 0 && item.message_id) return { kind: 'sent', id: item.message_id };
      return item ? refused(item.response_code, phone) : { kind: 'unknown' };
    },
  };
}
