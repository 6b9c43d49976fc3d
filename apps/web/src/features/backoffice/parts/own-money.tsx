import type { MoneyAnswer } from '@fpay/contract/staff-money';
import { useText } from '../../../i18n/use-text.ts';

/** Why an action about money is grey before it is pressed; null while the viewer may decide about this money. */
export function useOwnMoney(answer: MoneyAnswer): string | null {
  const text = useText();
  if (answer === 'free') return null;
  return text(answer === 'own' ? 'refusals:ownMoney' : 'refusals:ownRequest');
}

/** The reason beside the buttons, because a grey button shows no title on a phone. */
export function OwnMoneyNote({ id, reason }: { id: string; reason: string }) {
  return (
    <p id={id} className="rounded-control bg-surface-2 p-3 text-note">
      {reason}
    </p>
  );
}
