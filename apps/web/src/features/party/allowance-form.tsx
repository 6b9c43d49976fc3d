import { kopecks } from '@fpay/contract/money';
import { mostAllowance, type PartyMember, removeAllowance, setAllowance } from '@fpay/contract/party';
import { hundredthsOf } from '@fpay/contract/price';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { useAction } from '../../data/action.ts';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { Select } from '../../ui/form/select.tsx';
import { giftAmountFault } from './gift-amount.ts';
import { partyQueries } from './queries.ts';

const days = Array.from({ length: 28 }, (_, index) => String(index + 1));

/** A monthly top-up of one member. */
export function AllowanceForm({ member, onDone }: { member: PartyMember; onDone: () => void }) {
  const text = useText();
  const queryClient = useQueryClient();
  const present = member.allowance;
  const [typed, setTyped] = useState(present ? String(present.amount / 100) : '');
  const [day, setDay] = useState(String(present?.day ?? 1));
  const [isChecked, setChecked] = useState(false);
  const params = { id: String(member.id) };
  const after = {
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: partyQueries.all });
      onDone();
    },
  };
  const saving = useAction(
    (amount: number) => call(setAllowance, { params, body: { amount: kopecks(amount), day: Number(day) } }),
    after,
  );
  const removing = useAction(() => call(removeAllowance, { params }), after);
  const isTooLarge = (hundredthsOf(typed) ?? 0) > mostAllowance;
  const fault = isTooLarge ? 'party:allowanceTooLarge' : giftAmountFault(typed, 1, mostAllowance);
  const isBusy = saving.isPending || removing.isPending;
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        const amount = hundredthsOf(typed);
        if (!fault && amount !== null && !isBusy) saving.mutate(amount);
      }}
    >
      <p className="text-note text-ink-2">{text('party:allowanceHow')}</p>
      {present?.is_stopped && (
        <p role="status" className="text-note text-error">
          {text('party:allowanceStoppedText')}
        </p>
      )}
      <Field
        label={text('party:allowanceAmount')}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        inputMode="decimal"
        autoComplete="off"
        maxLength={10}
        trailing={<span className="text-body text-ink-2">₴</span>}
        error={isChecked && fault ? text(fault) : undefined}
      />
      <Select
        label={text('party:allowanceDay')}
        value={day}
        onChange={setDay}
        options={days.map((value) => ({ value, label: text('party:dayOfMonth', { day: value }) }))}
      />
      <MainButton type="submit" busy={saving.isPending}>
        {text('party:save')}
      </MainButton>
      {present && (
        <Button kind="text" busy={removing.isPending} onPress={() => removing.mutate()}>
          {text('party:allowanceEnd')}
        </Button>
      )}
    </form>
  );
}
