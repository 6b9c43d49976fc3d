import type { PartyMember } from '@fpay/contract/party';
import { removeMember, renameMember, resetMemberPassword } from '@fpay/contract/party';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import CalendarClock from 'lucide-react/icons/calendar-clock';
import Gift from 'lucide-react/icons/gift';
import KeyRound from 'lucide-react/icons/key-round';
import LogOut from 'lucide-react/icons/log-out';
import Pencil from 'lucide-react/icons/pencil';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { errorText } from '../../api/error-text.ts';
import { useAction } from '../../data/action.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { Field } from '../../ui/form/field.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { formatPhone } from '../../ui/form/phone.ts';
import { formatMoney } from '../../ui/format/money.tsx';
import { List, ListItem } from '../../ui/layout/list.tsx';
import { confirm } from '../../ui/overlay/popups.ts';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { accountQueries } from '../account/queries.ts';
import { AllowanceForm } from './allowance-form.tsx';
import { GiftForm } from './gift-form.tsx';
import { NewPasswordPopup } from './new-password.tsx';
import { partyQueries } from './queries.ts';

type Step = 'actions' | 'gift' | 'rename' | 'allowance';

/** What the owner can do for one member. */
export function MemberSheet({ member, onClose }: { member: PartyMember | null; onClose: () => void }) {
  const [last, setLast] = useState(member);
  if (member && member !== last) setLast(member);
  const shown = member ?? last;
  return (
    <Sheet
      open={member !== null}
      onClose={onClose}
      title={shown?.name ?? ''}
      subtitle={shown ? formatPhone(shown.phone_number) : ''}
    >
      {shown && <Actions key={shown.id} member={shown} onClose={onClose} />}
    </Sheet>
  );
}

function Actions({ member, onClose }: { member: PartyMember; onClose: () => void }) {
  const text = useText();
  const queryClient = useQueryClient();
  const [step, setStep] = useState<Step>('actions');
  const reset = useAction(() => call(resetMemberPassword, { params: { id: String(member.id) } }));
  const askReset = async () => {
    const isSure = await confirm({
      title: text('party:resetAsk', { name: member.name }),
      effect: text('party:resetEffect'),
      confirmLabel: text('party:reset'),
      kind: 'danger',
    });
    if (isSure) reset.mutate();
  };
  const removing = useAction(() => call(removeMember, { params: { id: String(member.id) } }), {
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: partyQueries.all });
      await queryClient.invalidateQueries({ queryKey: accountQueries.user().queryKey });
      onClose();
    },
  });
  const askRemove = async () => {
    const isSure = await confirm({
      title: text('party:removeAsk', { name: member.name }),
      effect:
        member.party_balance > 0
          ? text('party:removeEffect', { sum: formatMoney(member.party_balance) })
          : text('party:removeEffectOpen'),
      confirmLabel: text('party:remove'),
      kind: 'danger',
    });
    if (isSure) removing.mutate();
  };
  if (reset.data) return <NewPasswordPopup password={reset.data.new_password} />;
  if (step === 'gift') return <GiftForm members={[member]} onDone={onClose} />;
  if (step === 'rename') return <RenameForm member={member} onDone={onClose} />;
  if (step === 'allowance') return <AllowanceForm member={member} onDone={onClose} />;
  return (
    <List>
      <ListItem icon={<Gift size={20} />} title={text('party:give')} onPress={() => setStep('gift')} />
      <ListItem
        icon={<CalendarClock size={20} />}
        title={text('party:allowance')}
        subtitle={text('party:allowanceText')}
        onPress={() => setStep('allowance')}
      />
      <ListItem icon={<Pencil size={20} />} title={text('party:rename')} onPress={() => setStep('rename')} />
      <ListItem
        icon={<KeyRound size={20} />}
        wellClassName="bg-error-tint text-error"
        title={text('party:resetPassword')}
        arrow={false}
        onPress={() => void askReset()}
      />
      {!member.is_owner && (
        <ListItem
          icon={<LogOut size={20} />}
          wellClassName="bg-error-tint text-error"
          title={text('party:remove')}
          arrow={false}
          onPress={() => void askRemove()}
        />
      )}
    </List>
  );
}

function faultOf(name: string): TextKey | null {
  const length = [...name.trim()].length;
  if (length === 0) return 'party:enterName';
  return length < 3 ? 'party:nameShort' : null;
}

function RenameForm({ member, onDone }: { member: PartyMember; onDone: () => void }) {
  const text = useText();
  const queryClient = useQueryClient();
  const [name, setName] = useState(member.name);
  const [isChecked, setChecked] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(renameMember, { params: { id: String(member.id) }, body: { name } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: partyQueries.all });
      onDone();
    },
  });
  const fault = faultOf(name);
  const shown = isChecked && fault ? fault : error ? errorText(error) : null;
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (!fault && !isPending) mutate();
      }}
    >
      <Field
        label={text('party:name')}
        value={name}
        onChange={({ target }) => setName(target.value)}
        autoComplete="off"
        maxLength={20}
        error={shown ? text(shown) : undefined}
      />
      <MainButton type="submit" busy={isPending}>
        {text('party:save')}
      </MainButton>
    </form>
  );
}
