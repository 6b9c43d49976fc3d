import * as z from 'zod/mini';
import type { SettingTable } from '../setting.ts';
import { textWith, url, wholeNumber } from './fields.ts';

const address = z.optional(url('https:', 'http:'));
const addressWith = (fallback: string) => z._default(url('https:', 'http:'), fallback);

/** Who sells, under which name, and by which rules. */
export const networkSettings = {
  SELLER_NAME: {
    schema: z.optional(z.string().check(z.minLength(1))),
    shown: "the demo's",
    meaning: 'who sells, as receipts name the seller',
    isRequired: true,
    remedy: 'The seller as receipts name it.',
  },
  SELLER_EDRPOU: {
    schema: z.optional(z.string().check(z.regex(/^\d{8,10}$/, 'must be 8 to 10 digits'))),
    shown: "the demo's",
    meaning: 'the code of the seller, 8 to 10 digits',
    isRequired: true,
    remedy: 'The code of the seller, 8 to 10 digits.',
  },
  SELLER_VAT: { schema: z.optional(z.string()), shown: 'none', meaning: 'the VAT number of the seller' },
  BRAND: { schema: textWith('FPay'), meaning: 'the name of the network' },
  DOMAIN: { schema: z.optional(z.string()), shown: 'the host of `PUBLIC_URL`', meaning: 'the domain as pages show it' },
  SUPPORT_PHONE: { schema: textWith('+380800000000'), meaning: 'the phone of support' },
  BOT_URL: { schema: address, shown: '`https://t.me/`', meaning: 'the link to the bot' },
  INSTRUCTION_URL: { schema: address, shown: "the app's `/instruction`", meaning: 'how to charge' },
  LANDING_URL: { schema: addressWith('https://fpay.example/'), meaning: 'the website' },
  TERMS_URL: { schema: addressWith('https://fpay.example/terms'), meaning: 'what drivers agree to at sign-up' },
  TERMS_VERSION: { schema: textWith('2026-11'), meaning: 'which version of it' },
  TELEGRAM_URL: { schema: addressWith('https://t.me/fpay'), meaning: 'the page of the network there' },
  INSTAGRAM_URL: { schema: addressWith('https://instagram.com/fpay'), meaning: 'the page of the network there' },
  STAFF_SECOND_FACTOR: {
    schema: z.optional(z.enum(['on', 'off'], 'must be on or off')),
    shown: 'on; off in the demo',
    meaning: 'a code after the password for staff',
  },
  STAFF_MONEY_LIMIT: {
    schema: wholeNumber(5_000_00, 1, 1_000_000_00),
    meaning:
      'kopecks that one staff member may give away in 24 hours, and one recipient may get; more waits for the approval of a second one ([rules](staff-rules.md#limits))',
  },
  GIFTS_PER_DAY: { schema: wholeNumber(10_000_00, 1, 1_000_000_00), meaning: 'kopecks a user may give a day' },
  RFID_DEPOSIT: { schema: wholeNumber(1_000_00, 1_00, 100_000_00), meaning: 'kopecks a card tap sets aside at most' },
  AWAY_HOURS: {
    schema: wholeNumber(24, 1, 24 * 7 - 1),
    meaning: 'hours after which a charge of a station that is gone is settled',
  },
  SUSPICIOUS_KWH: { schema: wholeNumber(150, 1, 10_000), meaning: 'energy that staff should look at' },
  SETTLED_MINUTES: {
    schema: wholeNumber(10, 0, 1_440),
    meaning: 'how long after its end a charge may still be settling before it can be listed as an anomaly',
  },
} as const satisfies SettingTable;

/** Maps: the base map is OpenFreeMap without any of them. */
export const mapSettingTable = {
  MAP_TILES_URL: {
    schema: z.optional(z.string()),
    shown: 'OpenFreeMap',
    meaning: 'the map provider; the browser loads tiles from that host, which sees the address and the viewed area',
  },
  MAP_TILES_KIND: {
    schema: z.optional(z.enum(['mvt', 'xyz', 'pmtiles', 'offline'])),
    shown: '`xyz` with an address',
    meaning:
      '`mvt` (a TileJSON address or a `{z}/{x}/{y}` template with tiles on the same host, OpenMapTiles schema), `pmtiles`, `xyz`, or `offline` for the embedded map alone',
  },
  MAP_TILES_ATTRIBUTION: { schema: textWith(''), shown: 'none', meaning: 'the text that the provider asks for' },
  SATELLITE_TILES_URL: { schema: z.optional(z.string()), shown: 'none', meaning: 'pictures from above' },
  SATELLITE_TILES_ATTRIBUTION: {
    schema: textWith(''),
    shown: 'none',
    meaning: 'the text that their provider asks for',
  },
} as const satisfies SettingTable;
