import { inviteToParty, type PartyData, withdrawInvitation } from '@fpay/contract/party';
import { isPhone } from '@fpay/contract/person';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import UserPlus from 'lucide-react/icons/user-plus';
import X from 'lucide-react/icons/x';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { errorText } from '../../api/error-text.ts';
import { ApiError } from '../../api/errors.ts';
import { useAction } from '../../data/action.ts';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { formatPhone } from '../../ui/form/phone.ts';
import { PhoneField } from '../../ui/form/phone-field.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { partyQueries } from './queries.ts';

interface InviteSheetProps {
  open: boolean;
  onClose: () => void;
  invitations: PartyData['invitations'];
}

const prefix = '+380';

/** A driver is invited by number; who was invited and has not answered stands below. */
export function InviteSheet({ open, onClose, invitations }: InviteSheetProps) {
  const text = useText();
  const queryClient = useQueryClient();
  const [phone, setPhone] = useState(prefix);
  const [isChecked, setChecked] = useState(false);
  const reload = () => queryClient.invalidateQueries({ queryKey: partyQueries.data().queryKey });
  const inviting = useMutation({
    mutationFn: () => call(inviteToParty, { body: { phone_number: phone } }),
    onSuccess: async () => {
      setPhone(prefix);
      setChecked(false);
      await reload();
    },
  });
  const { error } = inviting;
  const refused = error instanceof ApiError && error.status === 422 ? 'party:phoneInvalid' : error && errorText(error);
  const shown = isChecked && !isPhone(phone) ? 'party:phoneInvalid' : refused;
  return (
    <Sheet open={open} onClose={onClose} title={text('party:inviteTitle')} subtitle={text('party:inviteText')}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setChecked(true);
          if (isPhone(phone) && !inviting.isPending) inviting.mutate();
        }}
      >
        <PhoneField
          label={text('party:phone')}
          value={phone}
          onChange={(typed) => {
            inviting.reset();
            setPhone(typed);
          }}
          autoComplete="off"
          maxLength={22}
          error={shown ? text(shown) : undefined}
        />
        <p role="status" className="text-note text-free empty:hidden">
          {inviting.isSuccess && text('party:invited')}
        </p>
        <MainButton type="submit" busy={inviting.isPending} icon={<UserPlus aria-hidden="true" size={20} />}>
          {text('party:invite')}
        </MainButton>
      </form>
      {invitations.length > 0 && <OpenInvitations invitations={invitations} onWithdrawn={reload} />}
    </Sheet>
  );
}

interface OpenInvitationsProps extends Pick<InviteSheetProps, 'invitations'> {
  onWithdrawn: () => Promise<void>;
}

function OpenInvitations({ invitations, onWithdrawn }: OpenInvitationsProps) {
  const text = useText();
  const withdrawing = useAction((id: number) => call(withdrawInvitation, { params: { id: String(id) } }), {
    onSuccess: onWithdrawn,
  });
  return (
    <section className="mt-6 flex flex-col gap-2">
      <h3 className="text-label">{text('party:openInvitations')}</h3>
      <ul className="divide-y divide-line overflow-hidden rounded-card bg-surface shadow-card">
        {invitations.map(({ id, phone_number }) => (
          <li key={id} className="flex min-h-14 items-center justify-between gap-3 py-1 pr-1.5 pl-4">
            <span className="tabular text-body whitespace-nowrap">{formatPhone(phone_number)}</span>
            <IconButton
              label={text('party:withdraw', { phone: formatPhone(phone_number) })}
              icon={<X size={20} />}
              onPress={() => withdrawing.mutate(id)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
