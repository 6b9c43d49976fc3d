import { type AdminUser, setRole } from '@fpay/contract/admin/users';
import type { Role } from '@fpay/contract/roles';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../data/action.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { notify } from '../../../ui/overlay/popups.ts';
import { ChoiceChips } from '../parts/choice-chips.tsx';

interface RolePopupProps {
  user: AdminUser;
  onClose: () => void;
  onDone: () => void;
}

/** Changes the role to one of those that this staff member may give. */
export function RolePopup({ user, onClose, onDone }: RolePopupProps) {
  const text = useText();
  const [role, setChosenRole] = useState<Role>(user.role);
  const changing = useAction(() => call(setRole, { body: { user_id: user.id, role } }), {
    onSuccess: (changed) => {
      onClose();
      onDone();
      void notify(text('adminUsers:roleIs', { role: changed.role }));
    },
  });
  return (
    <PopupFrame open onClose={onClose} title={text('adminUsers:setRoleTitle')} titleClassName="text-h2">
      <ChoiceChips
        legend={text('adminUsers:role')}
        value={role}
        onChange={setChosenRole}
        choices={user.roles.map((value) => ({ value, label: value }))}
        wraps
      />
      <p className="rounded-control bg-surface-2 p-3 text-note">
        {user.role} → {role}. {text('adminUsers:roleEffect')}
      </p>
      <Button kind="danger" disabled={role === user.role} busy={changing.isPending} onPress={() => changing.mutate()}>
        {text('admin:do')}
      </Button>
    </PopupFrame>
  );
}
