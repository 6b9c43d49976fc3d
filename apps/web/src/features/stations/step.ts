import type { SavedCard } from '@fpay/contract/cards';
import type { Target } from '@fpay/contract/price';
import type { Connector } from '@fpay/contract/stations';
import { useLocation, useNavigate } from '../../router/index.ts';
import type { PaymentMethod } from './steps/amount.ts';

/** The amount when the driver left for the bank. */
export interface AmountDraft {
  target: Target;
  typed: string;
}

export type WizardStep =
  | { name: 'connectors' }
  | { name: 'plug' | 'free' | 'payment'; connector: Connector }
  | { name: 'amount'; connector: Connector; method: PaymentMethod; card: SavedCard | null; amount: AmountDraft | null };

/**
 * The step after the choice of a connector. A free one waits for the cable first. A guest has no balance, so only the card
 * is left and the choice of a payment method is skipped.
 */
export function stepAfter(connector: Connector, payer: { isGuest: boolean; isPluggedIn?: boolean }): WizardStep {
  const isPluggedIn = payer.isPluggedIn ?? connector.status === 'ready';
  if (!isPluggedIn) return { name: 'plug', connector };
  if (connector.price === 0) return { name: 'free', connector };
  if (payer.isGuest) return { name: 'amount', connector, method: 'card', card: null, amount: null };
  return { name: 'payment', connector };
}

/** The history state may contain anything, from any version of this page. */
type StoredStep = Partial<Record<'step' | 'method' | 'card' | 'amount', unknown>> & { connector?: unknown };

/**
 * The driver's step between connector and payment. It is stored in the browser's history, so that Back is one step
 * back, and a reload or the return from the bank restores the step.
 */
export function useStep(connectors: readonly Connector[]) {
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  const here = pathname + search;
  return {
    step: stepOf(state, connectors),
    next: (step: WizardStep) => void navigate(here, { state: storedStep(step) }),
    /** Replaces the present step with its latest values, for a driver who returns to it. */
    replace: (step: WizardStep) =>
      void navigate(here, { state: storedStep(step), replace: true, preventScrollReset: true }),
    // Every step was reached from the previous one.
    goBack: (steps = 1) => void navigate(-steps),
  };
}

export function storedStep(step: WizardStep): StoredStep | null {
  if (step.name === 'connectors') return null;
  const stored = { step: step.name, connector: step.connector.id };
  return step.name === 'amount' ? { ...stored, method: step.method, card: step.card, amount: step.amount } : stored;
}

const resumeKey = 'fpay.step-after-top-up';

/** Stores the step for a driver who leaves for a top-up; the bank's return has no history state. */
export function rememberStep(page: string, step: WizardStep): void {
  sessionStorage.setItem(resumeKey, JSON.stringify({ page, state: storedStep(step) }));
}

/** The history state of the step that was left on this page; once. */
export function takeRememberedStep(page: string): unknown {
  const stored = sessionStorage.getItem(resumeKey);
  sessionStorage.removeItem(resumeKey);
  const left = stored === null ? null : (JSON.parse(stored) as { page: string; state: unknown });
  return left?.page === page ? left.state : null;
}

function stepOf(state: unknown, connectors: readonly Connector[]): WizardStep {
  const stored = (state ?? {}) as StoredStep;
  const connector = connectors.find(({ id }) => id === stored.connector);
  if (!connector) return { name: 'connectors' };
  if (stored.step === 'plug' || stored.step === 'free' || stored.step === 'payment')
    return { name: stored.step, connector };
  if (stored.step !== 'amount' || (stored.method !== 'card' && stored.method !== 'balance'))
    return { name: 'connectors' };
  return {
    name: 'amount',
    connector,
    method: stored.method,
    card: (stored.card as SavedCard | undefined) ?? null,
    amount: (stored.amount as AmountDraft | undefined) ?? null,
  };
}
