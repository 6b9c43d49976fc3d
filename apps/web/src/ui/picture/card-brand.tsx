import type { SavedCard } from '@fpay/contract/cards';
import CreditCard from 'lucide-react/icons/credit-card';

const marks = {
  visa: { mark: 'VISA', look: 'bg-[#1a3a9c] text-[#fff]' },
  mastercard: { mark: 'MC', look: 'bg-[#2b2b2e] text-[#fff]' },
} as const;

/** A small picture of a bank card with the name of its payment system. */
export function CardBrand({ system }: Pick<SavedCard, 'system'>) {
  const { mark, look } = system ? marks[system] : { mark: null, look: 'bg-surface-2 text-ink' };
  return (
    <span
      aria-hidden="true"
      className={`grid h-9 w-13 shrink-0 place-items-center rounded-badge text-[0.6875rem] font-extrabold ${look}`}
    >
      {mark ?? <CreditCard size={20} className="text-ink-2" />}
    </span>
  );
}

/** 'Visa *4821'. `other` is the name for a card of another payment system. */
export function cardName({ system, last4 }: Pick<SavedCard, 'system' | 'last4'>, other: string): string {
  return `${system ? { visa: 'Visa', mastercard: 'Mastercard' }[system] : other} *${last4}`;
}
