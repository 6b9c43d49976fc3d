import { type AdminUser, banUser, unbanUser } from '@fpay/contract/admin/users';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../data/action.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { notify } from '../../../ui/overlay/popups.ts';
import { ReasonField } from '../parts/reasons/reason-field.tsx';

interface BanPopupProps {
  user: AdminUser;
  /** False: the ban is lifted. */
  isBan: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Bans the user or lifts the ban, with a reason. */
export function BanPopup({ user, isBan, onClose, onDone }: BanPopupProps) {
  const text = useText();
  const [reason, setReason] = useState('');
  const body = { user_id: user.id, reason };
  const changing = useAction(() => (isBan ? call(banUser, { body }) : call(unbanUser, { body })), {
    onSuccess: ({ role }) => {
      onClose();
      void notify(text('adminUsers:roleIs', { role }));
    },
    onSettled: onDone,
  });
  const name = user.name ?? String(user.id);
  return (
    <PopupFrame
      open
      onClose={onClose}
      title={text(isBan ? 'adminUsers:banQuestion' : 'adminUsers:unbanQuestion', { name })}
      titleClassName="text-h2"
    >
      <p className="-mt-3 text-body text-ink-2">{text(isBan ? 'adminUsers:banEffect' : 'adminUsers:unbanEffect')}</p>
      <ReasonField kind="ban" onChange={setReason} />
      <div className="grid grid-cols-2 gap-2">
        <Button onPress={onClose}>{text('generic:no')}</Button>
        <Button
          kind={isBan ? 'danger' : 'main'}
          disabled={reason === ''}
          busy={changing.isPending}
          onPress={() => changing.mutate()}
        >
          {text('generic:yes')}
        </Button>
      </div>
    </PopupFrame>
  );
}
