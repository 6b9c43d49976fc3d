import type { MoneyAnswer } from '@fpay/contract/staff-money';
import { useText } from '../../../i18n/use-text.ts';

/** Why an action about money is grey before it is pressed; null while the viewer may decide about this money. */
export function useOwnMoney(answer: MoneyAnswer): string | null {
  const text = useText();
  return answer === 'own' ? text('refusals:ownMoney') : null;
}

/** The visible digits of a card are those of a card of the viewer, so what they do here waits for a colleague. */
export function SharedCardNote({ answer }: { answer: MoneyAnswer }) {
  const text = useText();
  if (answer !== 'second_person') return null;
  return <p className="rounded-control bg-surface-2 p-3 text-note">{text('admin:sharedCard')}</p>;
}

/** The reason beside the buttons, because a grey button shows no title on a phone. */
export function OwnMoneyNote({ id, reason }: { id: string; reason: string }) {
  return (
    <p id={id} className="rounded-control bg-surface-2 p-3 text-note">
      {reason}
    </p>
  );
}
