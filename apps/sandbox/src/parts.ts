/**
 * Every part, by its name, which is also the first part of its addresses. The home page, the links between the pages, the
 * routes and the tests read this table; `app.ts` does not compile without the code of each.
 */
export const parts = {
  bank: { name: 'Bank', plays: 'monobank acquiring', what: 'Invoices, the payment page, webhooks, switches' },
  sms: { name: 'SMS', plays: 'TurboSMS', what: 'Every phone’s messages, the newest first' },
  telegram: { name: 'Telegram', plays: 'Bot API', what: 'A chat with the bot as any Telegram user' },
  push: { name: 'Push', plays: 'a push service', what: 'Notifications of browsers, decrypted' },
} as const satisfies Record<string, { name: string; plays: string; what: string }>;

export type PartName = keyof typeof parts;
export const partNames = Object.keys(parts) as PartName[];
