import * as z from 'zod/mini';
import { Fault, faultOff } from '../fault.ts';
import { changesOf, type Switches } from '../switches.ts';

/** The calls that can be made to fail, by their names in the switches. */
export const callNames = [
  'create',
  'status',
  'finalize',
  'cancel',
  'remove',
  'receipt',
  'fiscalChecks',
  'pubkey',
  'details',
  'statement',
  'wallet',
  'walletPayment',
] as const;
export type CallName = (typeof callNames)[number];

const faults = Object.fromEntries(callNames.map((name) => [name, Fault])) as Record<CallName, typeof Fault>;
const noFaults = Object.fromEntries(callNames.map((name) => [name, faultOff])) as Record<CallName, Fault>;

/** Codes with which the card's bank can decline a saved card: expired, not enough money, over the limit, risky. */
export const walletDeclines = ['off', '51', '59', '61', '1406'] as const;

const milliseconds = z.int().check(z.nonnegative(), z.maximum(86_400_000));

const schemas = {
  /** Each webhook is delayed by this time. */
  webhookDelayMs: milliseconds,
  /** This many first attempts are lost; 3 means that none arrives. */
  webhooksLost: z.int().check(z.nonnegative(), z.maximum(3)),
  /** No webhook is sent. */
  webhooksSilent: z.boolean(),
  /** Each webhook is sent twice. */
  webhooksDuplicate: z.boolean(),
  /** A newer webhook of an invoice overtakes an older one. */
  webhooksReordered: z.boolean(),
  /** How long the card's bank processes a payment; the payer returns before that. */
  processingMs: milliseconds,
  /** How long a capture takes after it was accepted. */
  finalizeMs: milliseconds,
  /** How long a refund takes after it was accepted. */
  cancelMs: milliseconds,
  cancelEndsIn: z.enum(['success', 'failure']),
  /** The real bank's status of a payment refunded in part is not confirmed, so a caller should support both. */
  partlyReturnedAs: z.enum(['success', 'reversed']),
  /** A word of no documentation stands for every status: a bank may add one at any time. */
  newStatus: z.enum(['off', 'in_review']),
  /** Days added to the age of every hold; 9 makes all of them expire. */
  ageDays: z.number().check(z.nonnegative(), z.maximum(365)),
  /**
   * The bank's waiting times (validity, life of a hold, refunds, webhook retries) pass this many times faster; dates
   * stay real.
   */
  timeScale: z.number().check(z.minimum(1), z.maximum(1_000_000)),
  /** `auto`: every basket gets a check. `required`: a fiscal register is linked, so baskets are mandatory. */
  fiscal: z.enum(['off', 'auto', 'required']),
  /** A payment with a saved card requires 3-D Secure first. */
  walletNeeds3ds: z.boolean(),
  /** The code with which payments of saved cards are declined; off when they succeed. */
  walletDecline: z.enum(walletDeclines),
  /** How long a call without an answer stays open before the connection breaks. */
  hangMs: milliseconds,
  ...faults,
};

export const bankDefaults = {
  webhookDelayMs: 0,
  webhooksLost: 0,
  webhooksSilent: false,
  webhooksDuplicate: false,
  webhooksReordered: false,
  processingMs: 0,
  finalizeMs: 0,
  cancelMs: 1000,
  cancelEndsIn: 'success',
  partlyReturnedAs: 'success',
  newStatus: 'off',
  ageDays: 0,
  timeScale: 1,
  fiscal: 'auto',
  walletNeeds3ds: false,
  walletDecline: 'off',
  hangMs: 60_000,
  ...noFaults,
} as { [Name in keyof typeof schemas]: z.infer<(typeof schemas)[Name]> };

export type BankSwitchValues = typeof bankDefaults;
export type BankSwitches = Switches<BankSwitchValues>;

/** A change of switches: for all callers, or for one reference or invoice id. */
export const BankSwitchChange = z.strictObject({
  reference: z.optional(z.string().check(z.minLength(1), z.maxLength(280))),
  /** Creates a new signing key; it cannot verify earlier webhooks. */
  rotateKey: z.optional(z.boolean()),
  ...changesOf(schemas),
});
