import type { BankAccount, BankAdapter, BankApi, BankOptions } from './bank.ts';
import type { Provider } from './bank-terms.ts';
import { createMonobank } from './monobank/bank.ts';
import { probeMonobank } from './monobank/probe.ts';

/** The adapter of every bank. A bank is its folder, its terms in bank-terms.ts and a line here. */
export const bankAdapters = {
  monobank: { connect: createMonobank, probe: probeMonobank },
} as const satisfies Record<Provider, BankAdapter>;

/** The banks with which this network has an account. */
export interface Banks {
  /** The bank of new payments. */
  current: BankApi;
  /** The bank with which a payment was opened or a card was saved. It throws when there is no account there any more. */
  of(opened: { provider: Provider }): BankApi;
  all: readonly BankApi[];
}

export function connectBanks(
  current: BankAccount,
  former: BankAccount | null,
  options: Omit<BankOptions, keyof Omit<BankAccount, 'provider'>>,
): Banks {
  const connect = (account: BankAccount) =>
    bankAdapters[account.provider].connect({ ...options, baseUrl: account.baseUrl, token: account.token });
  return banksOf(connect(current), former ? [connect(former)] : []);
}

export function banksOf(current: BankApi, former: readonly BankApi[] = []): Banks {
  const all = [current, ...former];
  return {
    current,
    of({ provider }) {
      const found = all.find((bank) => bank.provider === provider);
      if (!found)
        throw new Error(`there is no account at ${provider}: set FORMER_BANK_PROVIDER and its address and token`);
      return found;
    },
    all,
  };
}
