import type { BalanceTransaction, BalanceTransactionType } from '@fpay/contract/wallet';
import CreditCard from 'lucide-react/icons/credit-card';
import Gift from 'lucide-react/icons/gift';
import Headset from 'lucide-react/icons/headset';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import Sparkles from 'lucide-react/icons/sparkles';
import Undo2 from 'lucide-react/icons/undo-2';
import Zap from 'lucide-react/icons/zap';
import type { TextKey } from '../../i18n/text-key.ts';
import { formatPhone } from '../../ui/form/phone.ts';

interface TransactionView {
  Icon: typeof Gift;
  /** Incoming and outgoing transactions may have different texts. */
  incoming: TextKey;
  outgoing: TextKey;
  /** The person or operation, shown beside the time; null for none. */
  about: (context: BalanceTransaction['context']) => { text: TextKey; value: string } | null;
}

type About = TransactionView['about'];
const operation: About = ({ charging_operation_id: id }) => (id ? { text: 'balance:number', value: String(id) } : null);
const person =
  (end: 'sender' | 'recipient', text: TextKey): About =>
  ({ [end]: phone }) =>
    phone ? { text, value: shortPhone(phone) } : null;

const returned = { Icon: Undo2, incoming: 'balance:return', outgoing: 'balance:return', about: operation } as const;

/** The texts of the eight types. */
const views = {
  admin: { Icon: Headset, incoming: 'balance:given', outgoing: 'balance:taken', about: () => null },
  deposit: {
    Icon: CreditCard,
    incoming: 'balance:deposit',
    outgoing: 'balance:deposit',
    about: ({ invoice_id: id }) => (id ? { text: 'balance:paymentNumber', value: String(id) } : null),
  },
  gift_from: {
    Icon: Gift,
    incoming: 'balance:giftFrom',
    outgoing: 'balance:giftFrom',
    about: person('sender', 'balance:from'),
  },
  gift_to: {
    Icon: Gift,
    incoming: 'balance:giftTo',
    outgoing: 'balance:giftTo',
    about: person('recipient', 'balance:to'),
  },
  // A positive payment is a return.
  operation_payment: { Icon: Zap, incoming: 'balance:return', outgoing: 'balance:payment', about: operation },
  operation_return: returned,
  payment_reversal: {
    Icon: RotateCcw,
    incoming: 'balance:reversal',
    outgoing: 'balance:reversal',
    about: ({ charging_operation_id, reversed_transaction_id }) => {
      const id = charging_operation_id ?? reversed_transaction_id;
      return id ? { text: 'balance:number', value: String(id) } : null;
    },
  },
  promo: { Icon: Sparkles, incoming: 'balance:promo', outgoing: 'balance:promo', about: operation },
} as const satisfies Record<BalanceTransactionType, TransactionView>;

/** The same texts with the station, where the charge is known. */
const atStation: Partial<Record<TextKey, TextKey>> = {
  'balance:payment': 'balance:paymentAt',
  'balance:promo': 'balance:promoAt',
};

export function viewOf({ type, amount, charge }: BalanceTransaction) {
  const isIncoming = amount > 0;
  const isReturn = type === 'operation_payment' && isIncoming;
  const { Icon, incoming, outgoing, about }: TransactionView = isReturn ? returned : views[type];
  const title = isIncoming ? incoming : outgoing;
  return { Icon, title: charge ? (atStation[title] ?? title) : title, about };
}

/** `+380 50 *** 18 40`: enough to recognise the person, but not to copy the number. */
export function shortPhone(phone: string): string {
  const shown = formatPhone(phone);
  const groups = shown.split(' ');
  if (groups.length >= 4) return groups.map((group, index) => (index === 2 ? '***' : group)).join(' ');
  return `${phone.slice(0, 4)} *** ${phone.slice(-2)}`;
}
