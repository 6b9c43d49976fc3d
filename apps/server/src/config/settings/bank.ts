import { savedCardModes } from '@fpay/contract/settings';
import * as z from 'zod/mini';
import type { BankAccount } from '../../payments/bank.ts';
import { bankTerms, type Provider, providers, usualProvider } from '../../payments/bank-terms.ts';
import type { SettingTable } from '../setting.ts';
import { token, url } from './fields.ts';

const address = z.optional(url('https:', 'http:'));
const oneOf = providers.join(', ');
const provider = z.enum(providers, `must be one of ${oneOf}`);

/** The bank of card payments, and the one before it. */
export const bankSettings = {
  BANK_PROVIDER: {
    schema: z._default(provider, usualProvider),
    meaning: `the bank of new payments: ${providers.map((name) => `\`${name}\` (\`${bankTerms[name].url}\`)`).join(', ')}`,
  },
  BANK_URL: {
    schema: address,
    shown: 'the sandbox in the demo',
    meaning: `the bank's API; that of ${usualProvider} is \`${bankTerms[usualProvider].url}\``,
    isRequired: true,
    isOutside: true,
    remedy: bankTerms[usualProvider].url,
  },
  BANK_TOKEN: {
    schema: token,
    shown: 'the sandbox in the demo',
    meaning: 'from the merchant cabinet of the bank; its test token works the same way with test cards',
    isRequired: true,
    isSecret: true,
    sandbox: 'sandbox-merchant-token',
    remedy: 'Copy it from the merchant cabinet of the bank.',
  },
  FORMER_BANK_PROVIDER: {
    schema: z.optional(provider),
    shown: 'none',
    meaning:
      'the bank before, after another one was chosen: what was opened there is captured and returned there as long as this and the next two are set',
  },
  FORMER_BANK_URL: { schema: address, shown: 'none', meaning: 'its API', isOutside: true },
  FORMER_BANK_TOKEN: { schema: token, shown: 'none', meaning: 'its token', isSecret: true },
  SAVED_CARDS: {
    schema: z.optional(z.enum(savedCardModes, 'must be off, charge or hold')),
    shown: 'off; charge in the demo',
    meaning:
      '`charge`: a saved card pays the deposit and gets the rest back; `hold`: the bank holds it like a new card; the bank must have enabled tokens',
  },
  FISCAL: {
    schema: z._default(z.enum(['on', 'off'], 'must be on or off'), 'off'),
    meaning: 'fiscal baskets and checks with every card payment',
  },
} as const satisfies SettingTable;

export interface BankConfig {
  /** At the bank of new payments. */
  account: BankAccount;
  former: BankAccount | null;
  isFiscal: boolean;
}

interface BankEnvironment {
  BANK_PROVIDER: Provider;
  BANK_URL?: string | undefined;
  BANK_TOKEN?: string | undefined;
  FORMER_BANK_PROVIDER?: Provider | undefined;
  FORMER_BANK_URL?: string | undefined;
  FORMER_BANK_TOKEN?: string | undefined;
  FISCAL: 'on' | 'off';
}

const formerNames = ['FORMER_BANK_PROVIDER', 'FORMER_BANK_URL', 'FORMER_BANK_TOKEN'] as const;

/** Without an address and a token it is the bank that the sandbox plays. */
export function bankOf(env: BankEnvironment, sandbox: string): BankConfig {
  const { BANK_PROVIDER: current, FORMER_BANK_PROVIDER: former } = env;
  const [formerUrl, formerToken] = [env.FORMER_BANK_URL, env.FORMER_BANK_TOKEN];
  return {
    account: {
      provider: current,
      baseUrl: env.BANK_URL ?? `${sandbox}${bankTerms[current].sandboxPath}`,
      token: env.BANK_TOKEN ?? bankSettings.BANK_TOKEN.sandbox,
    },
    former: former && formerUrl && formerToken ? { provider: former, baseUrl: formerUrl, token: formerToken } : null,
    isFiscal: env.FISCAL === 'on',
  };
}

export function bankProblems(env: BankEnvironment): string[] {
  const missing = formerNames.filter((name) => env[name] === undefined);
  if (missing.length === formerNames.length) return [];
  if (missing.length > 0) return missing.map((name) => `${name}: is required when another FORMER_BANK setting is set`);
  return env.FORMER_BANK_PROVIDER === env.BANK_PROVIDER
    ? ['FORMER_BANK_PROVIDER: is the bank of new payments; leave it out while there is only one']
    : [];
}
