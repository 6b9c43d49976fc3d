import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { phoneForLog, type SmsOutcome, type SmsSender } from '../sms.ts';
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

/** Connections that were never made, so nothing was sent. After any other failure the message may have arrived. */
const neverLeft = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

/** TurboSMS answers 200 to everything and reports the outcome in the body. Texts and codes are never logged. */
export function createTurboSms(
  { url, token, sender, answerWithinMs = defaultTimeoutMs }: TurboSmsSettings,
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
        body = await ask(phone, text);
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
  };
}
