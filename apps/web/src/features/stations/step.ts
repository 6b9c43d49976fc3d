import type { Target } from '@fpay/contract/price';
import type { Connector } from '@fpay/contract/stations';
import { useLocation, useNavigate } from '../../router/index.ts';
import type { PaymentMethod } from './amount.ts';

/** What was asked to be paid when the driver left for the bank. */
export interface TypedAmount {
  target: Target;
  typed: string;
}

export type Step =
  | { name: 'connectors' }
  | { name: 'free' | 'payment'; connector: Connector }
  | { name: 'amount'; connector: Connector; method: PaymentMethod; amount: TypedAmount | null };

/** As it lies in the browser's history: anything, from any version of this page. */
type Kept = Partial<Record<'step' | 'method' | 'amount', unknown>> & { connector?: unknown };

/**
 * Where the driver is on the way from plug to payment. Kept with the visit in the browser's history: Back is one step
 * back, and a reload or the way back from the bank finds the same step.
 */
export function useStep(connectors: readonly Connector[]) {
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  const here = pathname + search;
  return {
    step: stepOf(state, connectors),
    goOn: (step: Step) => void navigate(here, { state: keptOf(step) }),
    /** The same step as it is now, should the driver come back to it. */
    keep: (step: Step) => void navigate(here, { state: keptOf(step), replace: true, preventScrollReset: true }),
    // Every step was reached from the one before it.
    goBack: () => void navigate(-1),
  };
}

function keptOf(step: Step): Kept | null {
  if (step.name === 'connectors') return null;
  const kept = { step: step.name, connector: step.connector.id };
  return step.name === 'amount' ? { ...kept, method: step.method, amount: step.amount } : kept;
}

function stepOf(state: unknown, connectors: readonly Connector[]): Step {
  const kept = (state ?? {}) as Kept;
  const connector = connectors.find(({ id }) => id === kept.connector);
  if (!connector) return { name: 'connectors' };
  if (kept.step === 'free' || kept.step === 'payment') return { name: kept.step, connector };
  if (kept.step !== 'amount' || (kept.method !== 'card' && kept.method !== 'balance')) return { name: 'connectors' };
  return { name: 'amount', connector, method: kept.method, amount: (kept.amount as TypedAmount | undefined) ?? null };
}
