/** What became of one message. `unknown`: no answer came, so it may have been sent; never sent again by itself. */
export type SmsOutcome =
  | { kind: 'sent'; id: string }
  | { kind: 'bad_number'; code: number }
  | { kind: 'failed'; code: number | null; canRetry: boolean }
  | { kind: 'unknown' };

/** Whoever carries our SMS; each adapter translates its provider's answers. */
export interface SmsSender {
  send(phone: string, text: string): Promise<SmsOutcome>;
}

/** Enough to find a case, too little to call anybody. */
export function maskedPhone(phone: string): string {
  return phone.length > 7 ? `${phone.slice(0, 4)}•••${phone.slice(-4)}` : '•••';
}
