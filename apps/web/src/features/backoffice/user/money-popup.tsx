import type { BalanceEffect } from '@fpay/contract/admin/balance';
import type { AdminUser } from '@fpay/contract/admin/users';
import { kopecks, SignedKopecks } from '@fpay/contract/money';
import { decreaseBalance, increaseBalance } from '@fpay/contract/wallet';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { errorText } from '../../../api/error-text.ts';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { formatMoney } from '../../../ui/format/money.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { notify } from '../../../ui/overlay/popups.ts';
import { ReasonField } from '../parts/reasons/reason-field.tsx';
import { contractRules, useFields } from '../parts/use-form.ts';
import { useSettled } from '../parts/use-settled.ts';
import { BalanceEffectView } from './balance-effect.tsx';
import { userViewQueries } from './queries.ts';

const start = { amount: '' };
const amountOf = (typed: string) => (/^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN);
/** The amount has the same rule in both directions; the user is not typed. */
const rules = contractRules(
  increaseBalance.body,
  ({ amount }: typeof start) => ({ user_id: 1, amount: amountOf(amount) }),
  {
    amount: { path: 'amount', text: 'adminUsers:amountInvalid' },
  },
);

/** The effect is asked for when the typing pauses. */
const previewPauseMs = 300;

interface MoneyPopupProps {
  user: AdminUser;
  direction: 'give' | 'take';
  onClose: () => void;
  onDone: () => void;
}

/** Gives money to the user or takes it, in whole kopecks. A large sum waits for a second staff member. */
export function MoneyPopup({ user, direction, onClose, onDone }: MoneyPopupProps) {
  const text = useText();
  const language = useLanguage();
  const [reason, setReason] = useState('');
  const [isReasonMissing, setReasonMissing] = useState(false);
  const moving = useMutation({
    mutationFn: (amount: number) => {
      const body = { user_id: user.id, amount, reason };
      return direction === 'give' ? call(increaseBalance, { body }) : call(decreaseBalance, { body });
    },
    onSuccess: ({ balance, approval_id: approval }) => {
      onClose();
      onDone();
      void notify(
        approval === null
          ? text('adminUsers:balanceIs', { sum: formatMoney(balance, {}, language) })
          : text('admin:awaitsApproval'),
      );
    },
    onError: (error) => void notify(`ERROR: ${text(errorText(error))}`),
  });
  const { typed, change, field, props } = useFields({
    start,
    rules,
    onValid: (chosen) => {
      setReasonMissing(reason === '');
      if (reason !== '' && !moving.isPending) moving.mutate(amountOf(chosen.amount));
    },
  });
  const amount = amountOf(typed.amount);
  const effect = useMoneyEffect({ user, direction, amount, isOver: moving.isPending || moving.isSuccess });
  const title = text(direction === 'give' ? 'adminUsers:giveTitle' : 'adminUsers:takeTitle');
  return (
    <PopupFrame open onClose={onClose} title={title} titleClassName="text-h2">
      <form {...props} className="flex flex-col gap-4">
        <Field
          label={text('adminUsers:amountKopecks')}
          inputMode="numeric"
          hint={Number.isNaN(amount) ? undefined : formatMoney(kopecks(amount), {}, language)}
          {...field('amount')}
          onChange={({ target }) => change({ amount: target.value.trim() })}
        />
        <ReasonField kind={direction} onChange={setReason} isMissing={isReasonMissing && reason === ''} />
        {effect ? (
          <BalanceEffectView effect={effect} userId={user.id} />
        ) : (
          !Number.isNaN(amount) && <BalanceChange user={user} direction={direction} amount={amount} />
        )}
        <Button
          type="submit"
          kind={direction === 'give' ? 'main' : 'danger'}
          disabled={effect?.is_allowed === false}
          busy={moving.isPending}
        >
          {title}
        </Button>
      </form>
    </PopupFrame>
  );
}

interface Movement extends Pick<MoneyPopupProps, 'user' | 'direction'> {
  /** Not a number while it cannot be read. */
  amount: number;
}

/** What the server says that this amount will do; nothing before it answered, and nothing once the money moves. */
function useMoneyEffect({
  user,
  direction,
  amount,
  isOver,
}: Movement & { isOver: boolean }): BalanceEffect | undefined {
  const asked = useSettled(amount, previewPauseMs);
  const isAsked = increaseBalance.body.safeParse({ user_id: user.id, amount: asked }).success;
  const { data } = useQuery({
    ...userViewQueries.preview({ action: direction, user_id: user.id, amount: asked }),
    enabled: isAsked && !isOver,
  });
  return isAsked && asked === amount ? data : undefined;
}

/** The balance before and after, until the server has tried it. */
function BalanceChange({ user, direction, amount }: Movement) {
  const text = useText();
  const language = useLanguage();
  const after = user.wallet.balance + (direction === 'give' ? amount : -amount);
  return (
    <p className="rounded-control bg-surface-2 p-3 text-note">
      {text('adminUsers:balanceChange', {
        from: formatMoney(user.wallet.balance, {}, language),
        to: formatMoney(SignedKopecks.parse(after), {}, language),
      })}
    </p>
  );
}
