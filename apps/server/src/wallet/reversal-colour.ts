import type { Kopecks } from '@fpay/contract/money';
import type { Step } from '../platform/step.ts';
import type { MadeTransfer, WalletStore } from './ledger.ts';
import { lockParts, partsOf } from './party-parts.ts';
import type { AccountId, Takes, Transfer } from './transfer.ts';

/** Which money a reversal takes, and in which colour it arrives. */
export interface ReversalColour {
  /** Of the account that the money is taken from; null for the network's own. */
  available: Kopecks | null;
  colour(amount: Kopecks): Partial<Transfer>;
}

interface Reversed {
  transfer: MadeTransfer;
  from: AccountId;
  /** Null: the network's own account. */
  balance: Kopecks | null;
}

type Rule = Pick<Transfer, 'arriving' | 'party'> & { takes: Takes };

/** A reversal goes back to the money that paid, and takes only the money that had arrived. */
export async function reversalColour(
  step: Step,
  ledger: Pick<WalletStore, 'lock'>,
  { transfer, from, balance }: Reversed,
): Promise<ReversalColour> {
  const { takes, arriving, ...rest } = await ruleOf(step, transfer);
  const colour = (amount: Kopecks) => ({
    takes,
    ...rest,
    ...(arriving !== undefined && { arriving: Math.min(amount, arriving) }),
  });
  if (balance === null) return { available: null, colour };
  const { own, party } = await lockParts(step, ledger, from);
  return { available: takes === 'own_only' ? own : takes === 'party_only' ? party : balance, colour };
}

async function ruleOf(step: Step, transfer: MadeTransfer): Promise<Rule> {
  if (transfer.kind === 'operation_payment') return { takes: 'own' };
  if (transfer.kind === 'deposit') return { takes: 'own_only' };
  const { taken, arrived, party } = await partsOf(step, transfer.key);
  const takes = arrived === transfer.amount ? 'party_only' : arrived > 0 ? 'party' : 'own_only';
  return taken === arrived || party === null ? { takes } : { takes, arriving: taken, party };
}
