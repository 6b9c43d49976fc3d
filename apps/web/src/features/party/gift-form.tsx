import { kopecks } from '@fpay/contract/money';
import { giveToMembers, type PartyMember } from '@fpay/contract/party';
import { hundredthsOf } from '@fpay/contract/price';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import Gift from 'lucide-react/icons/gift';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import { errorText } from '../../api/error-text.ts';
import { useText } from '../../i18n/use-text.ts';
import { Field } from '../../ui/form/field.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { formatMoney } from '../../ui/format/money.tsx';
import { formatNumber } from '../../ui/format/number-format.ts';
import { confirm } from '../../ui/overlay/popups.ts';
import { accountQueries, useUser } from '../account/queries.ts';
import { giftAmountFault } from './gift-amount.ts';
import { partyQueries } from './queries.ts';

const reloadMs = 2000;

/** The same amount to one member or to several: one question with the sum, then all of them or none. */
export function GiftForm({ members, onDone }: { members: readonly PartyMember[]; onDone: () => void }) {
  const text = useText();
  const balance = useUser()?.balance ?? 0;
  const [typed, setTyped] = useState('');
  const [isChecked, setChecked] = useState(false);
  const { mutate, isPending, isSuccess, error, reset } = useGift(members, onDone);

  if (isSuccess) return <Given />;

  const fault = members.length === 0 ? 'party:nobodyChosen' : giftAmountFault(typed, members.length, balance);
  const shown = isChecked && fault ? fault : error ? errorText(error) : null;
  const send = async () => {
    const amount = hundredthsOf(typed);
    if (amount === null) return;
    const isSure = await confirm({
      title: text('party:giveAsk', { sum: formatMoney(kopecks(amount * members.length)) }),
      effect:
        members.length === 1
          ? (members[0]?.name ?? '')
          : text('party:giveEach', { count: members.length, sum: formatMoney(kopecks(amount)) }),
      confirmLabel: text('party:give'),
    });
    if (isSure) mutate(amount);
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (!fault && !isPending) void send();
      }}
    >
      <Field
        label={members.length > 1 ? text('party:amountEach') : text('party:amount')}
        value={typed}
        onChange={({ target }) => {
          reset();
          setTyped(target.value);
        }}
        inputMode="decimal"
        autoComplete="off"
        maxLength={10}
        readOnly={isPending}
        trailing={<span className="text-body text-ink-2">₴</span>}
        hint={text('party:amountHint', { balance: formatNumber(balance / 100, { least: 2, most: 2 }) })}
        error={shown ? text(shown) : undefined}
      />
      <MainButton type="submit" busy={isPending} icon={<Gift aria-hidden="true" size={20} />}>
        {text('party:give')}
      </MainButton>
    </form>
  );
}

/** Gives to all of the members or to none; a moment after the success the party is read again. */
function useGift(members: readonly PartyMember[], onDone: () => void) {
  const queryClient = useQueryClient();
  const giving = useMutation({
    mutationFn: (amount: number) =>
      call(giveToMembers, { body: { members: members.map(({ id }) => id), amount: kopecks(amount) } }),
    onSuccess: (answer) =>
      queryClient.setQueryData(accountQueries.user().queryKey, (known) =>
        known ? { ...known, balance: answer.balance } : known,
      ),
  });
  const { isSuccess } = giving;
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => {
    if (!isSuccess) return;
    const timer = setTimeout(() => {
      void queryClient.invalidateQueries({ queryKey: partyQueries.all });
      done.current();
    }, reloadMs);
    return () => clearTimeout(timer);
  }, [isSuccess, queryClient]);
  return giving;
}

function Given() {
  const text = useText();
  return (
    <div role="status" className="flex flex-col items-center gap-3 rounded-card bg-free-tint px-4 py-10 text-center">
      <CircleCheck aria-hidden="true" size={56} strokeWidth={1.75} className="text-free" />
      <p className="text-h2 text-balance">{text('party:given')}</p>
    </div>
  );
}
