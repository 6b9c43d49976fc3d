import type { User } from '@fpay/contract/account';
import { kopecks } from '@fpay/contract/money';
import { hundredthsOf } from '@fpay/contract/price';
import { giftBalance, giftRecipient } from '@fpay/contract/wallet';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import Gift from 'lucide-react/icons/gift';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { Field } from '../../ui/form/field.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { formatPhone } from '../../ui/form/phone.ts';
import { PhoneField } from '../../ui/form/phone-field.tsx';
import { formatMoney } from '../../ui/format/money.tsx';
import { formatNumber } from '../../ui/format/number-format.ts';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { accountQueries } from '../account/queries.ts';
import { giftFaults } from './amounts.ts';
import { GiftConfirmation } from './gift-confirmation.tsx';
import { giftRefusal } from './gift-refusal.ts';

const successMs = 3000;
const empty = { to: '+380', amount: '' };

interface GiftSheetProps {
  open: boolean;
  onClose: () => void;
  user: User;
}

/** Sends money to another driver: the form, the recipient's name to confirm, the gift, and three seconds of success. */
export function GiftSheet({ open, onClose, user }: GiftSheetProps) {
  const text = useText();
  const [form, setForm] = useState(empty);
  const [isChecked, setChecked] = useState(false);
  const { asking, giving, isPending, error, forget } = useGift();
  useOnceGiven(giving.isSuccess, () => {
    forget();
    setForm(empty);
    setChecked(false);
  });

  const faults = giftFaults(form, user);
  const refusal = error ? giftRefusal(error) : null;
  const shown = { ...(isChecked ? faults : {}), ...refusal?.faults };
  const change = (part: Partial<typeof form>) => {
    // A refusal belongs to the values that were sent.
    if (error) forget();
    setForm({ ...form, ...part });
  };

  function ask() {
    setChecked(true);
    const amount = hundredthsOf(form.amount);
    if (isPending || amount === null || Object.keys(faults).length > 0) return;
    giving.reset();
    asking.mutate({ to: form.to, amount });
  }

  return (
    <Sheet open={open} onClose={onClose} title={text('balance:giftTitle')} subtitle={text('balance:giftText')}>
      {giving.isSuccess ? (
        <GiftSent gift={giving.variables} />
      ) : asking.isSuccess ? (
        <GiftConfirmation
          gift={asking.variables}
          name={asking.data.name}
          busy={giving.isPending}
          onConfirm={() => {
            if (!giving.isPending) giving.mutate(asking.variables);
          }}
          onChange={asking.reset}
        />
      ) : (
        <GiftForm
          form={form}
          shown={shown}
          message={refusal?.message ?? null}
          balance={user.balance}
          isPending={isPending}
          onChange={change}
          onAsk={ask}
        />
      )}
    </Sheet>
  );
}

/** First the recipient is asked for, then the gift is made. */
function useGift() {
  const queryClient = useQueryClient();
  const asking = useMutation({
    mutationFn: ({ to }: { to: string; amount: number }) => call(giftRecipient, { body: { to } }),
  });
  const giving = useMutation({
    mutationFn: (gift: { to: string; amount: number }) => call(giftBalance, { body: gift }),
    // Returns to the form, which shows the refusal at its field.
    onError: () => asking.reset(),
    onSuccess: ({ balance }) =>
      queryClient.setQueryData(accountQueries.user().queryKey, (known) => (known ? { ...known, balance } : known)),
  });
  return {
    asking,
    giving,
    isPending: asking.isPending || giving.isPending,
    error: asking.error ?? giving.error,
    forget() {
      giving.reset();
      asking.reset();
    },
  };
}

/** The success is shown for three seconds. */
function useOnceGiven(isGiven: boolean, startOver: () => void): void {
  const latest = useRef(startOver);
  latest.current = startOver;
  useEffect(() => {
    if (!isGiven) return;
    const timer = setTimeout(() => latest.current(), successMs);
    return () => clearTimeout(timer);
  }, [isGiven]);
}

function GiftSent({ gift }: { gift: { to: string; amount: number } }) {
  const text = useText();
  return (
    <div role="status" className="flex flex-col items-center gap-3 rounded-card bg-free-tint px-4 py-10 text-center">
      <CircleCheck aria-hidden="true" size={56} strokeWidth={1.75} className="text-free" />
      <p className="text-h2 text-balance">
        {text('balance:giftSent', {
          sum: formatMoney(kopecks(gift.amount)),
          phone: formatPhone(gift.to),
        })}
      </p>
    </div>
  );
}

interface GiftFormProps {
  form: typeof empty;
  shown: ReturnType<typeof giftFaults>;
  /** A refusal that belongs to no field. */
  message: TextKey | null;
  balance: number;
  isPending: boolean;
  onChange: (part: Partial<typeof empty>) => void;
  onAsk: () => void;
}

function GiftForm({ form, shown, message, balance, isPending, onChange, onAsk }: GiftFormProps) {
  const text = useText();
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onAsk();
      }}
    >
      <PhoneField
        label={text('balance:giftPhone')}
        value={form.to}
        onChange={(to) => onChange({ to })}
        autoComplete="off"
        maxLength={22}
        readOnly={isPending}
        error={shown.to && text(shown.to)}
      />
      <Field
        label={text('balance:amount')}
        value={form.amount}
        onChange={({ target }) => onChange({ amount: target.value })}
        inputMode="decimal"
        autoComplete="off"
        maxLength={10}
        readOnly={isPending}
        trailing={<span className="text-body text-ink-2">₴</span>}
        hint={text('balance:giftHint', { balance: formatNumber(balance / 100, { least: 2, most: 2 }) })}
        error={shown.amount && text(shown.amount)}
      />
      <p role="alert" className="text-note text-error empty:hidden">
        {message && text(message)}
      </p>
      <MainButton type="submit" busy={isPending} icon={<Gift aria-hidden="true" size={20} />}>
        {text('balance:gift')}
      </MainButton>
    </form>
  );
}
