import type { AdminUser } from '@fpay/contract/admin/users';
import { kopecks, SignedKopecks } from '@fpay/contract/money';
import { decreaseBalance, increaseBalance } from '@fpay/contract/wallet';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../../api/call.ts';
import { errorText } from '../../../api/error-text.ts';
import { schemaErrors } from '../../../api/form-errors.ts';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { formatMoney } from '../../../ui/format/money.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { notify } from '../../../ui/overlay/popups.ts';
import { useSettled } from '../parts/use-settled.ts';
import { BalanceEffectView } from './balance-effect.tsx';
import { userViewQueries } from './queries.ts';

const fields = { amount: { path: 'amount', text: 'admin:amountInvalid' } } as const;

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
  const [typed, setTyped] = useState('');
  const [isInvalid, setInvalid] = useState(false);
  const moving = useMutation({
    mutationFn: (amount: number) => {
      const body = { user_id: user.id, amount };
      return direction === 'give' ? call(increaseBalance, { body }) : call(decreaseBalance, { body });
    },
    onSuccess: ({ balance, approval_id: approval }) => {
      onClose();
      onDone();
      void notify(
        approval === null
          ? text('admin:balanceIs', { sum: formatMoney(balance, {}, language) })
          : text('admin:awaitsApproval'),
      );
    },
    onError: (error) => void notify(`ERROR: ${text(errorText(error))}`),
  });
  const amount = /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN;
  const asked = useSettled(amount, previewPauseMs);
  const isAsked = increaseBalance.body.safeParse({ user_id: user.id, amount: asked }).success;
  const preview = useQuery({
    ...userViewQueries.preview({ action: direction, user_id: user.id, amount: asked }),
    enabled: isAsked && !moving.isPending && !moving.isSuccess,
  });
  const effect = isAsked && asked === amount ? preview.data : undefined;
  const after = user.wallet.balance + (direction === 'give' ? amount : -amount);
  function move(event: FormEvent) {
    event.preventDefault();
    const errors = schemaErrors(increaseBalance.body, { user_id: user.id, amount }, fields);
    setInvalid(errors.amount !== undefined);
    if (!errors.amount && !moving.isPending) moving.mutate(amount);
  }
  const title = text(direction === 'give' ? 'admin:giveTitle' : 'admin:takeTitle');
  return (
    <PopupFrame open onClose={onClose} title={title} titleClassName="text-h2">
      <form className="flex flex-col gap-4" onSubmit={move}>
        <Field
          label={text('admin:amountKopecks')}
          inputMode="numeric"
          value={typed}
          hint={Number.isNaN(amount) ? undefined : formatMoney(kopecks(amount), {}, language)}
          error={isInvalid ? text('admin:amountInvalid') : undefined}
          onChange={({ target }) => {
            setTyped(target.value.trim());
            setInvalid(false);
          }}
        />
        {effect ? (
          <BalanceEffectView effect={effect} userId={user.id} />
        ) : !Number.isNaN(amount) ? (
          <p className="rounded-control bg-surface-2 p-3 text-note">
            {text('admin:balanceChange', {
              from: formatMoney(user.wallet.balance, {}, language),
              to: formatMoney(SignedKopecks.parse(after), {}, language),
            })}
          </p>
        ) : null}
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
