import type { BankAdapter } from './bank.ts';
import type { Provider } from './bank-terms.ts';
import { createMonobank } from './monobank/bank.ts';
import { probeMonobank } from './monobank/probe.ts';

/** The adapter of every bank. A bank is its folder, its terms in bank-terms.ts and a line here. */
export const banks = {
  monobank: { connect: createMonobank, probe: probeMonobank },
} as const satisfies Record<Provider, BankAdapter>;
