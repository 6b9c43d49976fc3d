import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import type { Database } from '../database.ts';
import { demo } from '../demo.ts';
import { answer, type Code, codes, isCode, perRecipient, SmsRefusal } from './codes.ts';
import { isTooLong, phoneOf, pricePerSegment, segmentsOf, startTimeOf } from './message.ts';
import type { SmsMessage, SmsStore } from './store.ts';
import type { SmsSwitches } from './switches.ts';

const dayMs = 86_400_000;
const furthestStartMs = 14 * dayMs;
const mostRecipients = 5000;

// Lenient on purpose, because TurboSMS answers a missing or wrong field with a specific code.
const SendRequest = z.object({
  recipients: z.optional(z.unknown()),
  sms: z.optional(z.object({ sender: z.optional(z.unknown()), text: z.optional(z.unknown()) })),
  start_time: z.optional(z.unknown()),
});
const StatusRequest = z.object({
  messages: z.array(z.string().check(z.maxLength(100))).check(z.minLength(1), z.maxLength(1000)),
});

interface Parts {
  db: Database;
  clock: Clock;
  store: SmsStore;
  switches: SmsSwitches;
}

/** The actions of TurboSMS. */
export function createSms({ db, clock, store, switches }: Parts) {
  /** The fault of one number: a switched one, or a reason of the number itself. */
  function faultOf(recipient: string, earlier: string[]): Code | null {
    const phone = phoneOf(recipient);
    if (phone === null) return 305;
    if (earlier.includes(phone)) return 407;
    const { kind, code } = switches.effective(phone).send;
    if (kind !== 'refused' || !isRecipientCode(Number(code))) return null;
    switches.takeFault('send', phone);
    return Number(code) as Code;
  }

  function send(sent: unknown) {
    const request = SendRequest.safeParse(sent);
    if (!request.success) throw new SmsRefusal(300);
    const { recipients, sms, start_time } = request.data;
    if (!Array.isArray(recipients) || recipients.length === 0) throw new SmsRefusal(202);
    if (recipients.length > mostRecipients) throw new SmsRefusal(405);
    const sender = checkedSender(sms?.sender);
    const text = checkedText(sms?.text);
    const now = clock.now();
    const startAt = checkedStart(start_time, now);

    const segments = segmentsOf(text);
    return db.transaction(() => {
      const taken: string[] = [];
      let balance = store.balance();
      const items = recipients.map((recipient) => {
        const written = String(recipient);
        const fault = faultOf(written, taken) ?? (balance < segments * pricePerSegment ? 203 : null);
        if (fault !== null) return item(written, fault, null);
        const phone = phoneOf(written) ?? written;
        const id = randomUUID();
        taken.push(phone);
        balance -= segments * pricePerSegment;
        store.add({ id, phone, sender, text, segments, createdAt: now, startAt });
        return item(phone, 0, id);
      });
      store.setBalance(balance);
      if (taken.length === 0) return answer(items[0]?.response_code ?? 202, items);
      const isLater = startAt > now;
      if (taken.length < items.length) return answer(isLater ? 802 : 803, items);
      return answer(isLater ? 800 : 801, items);
    });
  }

  function status(sent: unknown) {
    const request = StatusRequest.safeParse(sent);
    if (!request.success) throw new SmsRefusal(414);
    const items = request.data.messages.map((id) => {
      const message = store.find(id);
      if (!message) return { message_id: id, response_code: 307, response_status: codes[307] };
      return { ...delivery(message), response_code: 0, response_status: codes[0] };
    });
    return answer(0, items);
  }

  function delivery({ id, phone, startAt }: SmsMessage) {
    const isWaiting = startAt > clock.now();
    return {
      message_id: id,
      recipient: phone,
      sent: isWaiting ? null : operatorTime(startAt),
      updated: operatorTime(isWaiting ? clock.now() : startAt),
      status: isWaiting ? 'Queued' : switches.effective(phone).delivery,
      type: 'sms',
    };
  }

  return {
    send,
    status,
    balance: () => answer(0, { balance: store.balance() / 100 }),
    ping: () => answer(1),
  };
}

function isRecipientCode(code: number): boolean {
  return isCode(code) && perRecipient.includes(code);
}

function checkedSender(sender: unknown): string {
  if (sender === undefined || sender === '') throw new SmsRefusal(200);
  if (typeof sender !== 'string' || sender.length > 11) throw new SmsRefusal(302);
  if (!demo.smsSenders.some((name) => name === sender)) throw new SmsRefusal(400);
  return sender;
}

function checkedText(text: unknown): string {
  if (text === undefined || text === '') throw new SmsRefusal(201);
  if (typeof text !== 'string' || text.trim() === '') throw new SmsRefusal(304);
  if (isTooLong(text)) throw new SmsRefusal(413);
  return text;
}

function checkedStart(start: unknown, now: number): number {
  if (start === undefined || start === null || start === '') return now;
  const at = typeof start === 'string' ? startTimeOf(start) : null;
  if (at === null) throw new SmsRefusal(303);
  if (at > now + furthestStartMs) throw new SmsRefusal(403);
  return Math.max(at, now);
}

function item(phone: string, code: Code, messageId: string | null) {
  return { phone, response_code: code, message_id: messageId, response_status: codes[code] };
}

function operatorTime(at: number): string {
  return new Date(at).toLocaleString('sv-SE', { timeZone: 'Europe/Kyiv' });
}
