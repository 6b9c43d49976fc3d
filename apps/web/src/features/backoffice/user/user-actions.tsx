import type { AdminUser } from '@fpay/contract/admin/users';
import type { Permission } from '@fpay/contract/roles';
import Ban from 'lucide-react/icons/ban';
import MessageSquare from 'lucide-react/icons/message-square';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import Send from 'lucide-react/icons/send';
import Shield from 'lucide-react/icons/shield';
import { useId, useState } from 'react';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { notify } from '../../../ui/overlay/popups.ts';
import { OwnMoneyNote, SharedCardNote, useOwnMoney } from '../parts/own-money.tsx';
import { usePermissions } from '../parts/use-may.ts';
import { BanPopup } from './ban-popup.tsx';
import { MessagePopup } from './message-popup.tsx';
import { MoneyPopup } from './money-popup.tsx';
import { RolePopup } from './role-popup.tsx';

type Action = AdminUser['actions'][number];

const views = {
  send_sms: { Icon: MessageSquare, label: 'adminUsers:sms' },
  send_telegram: { Icon: Send, label: 'adminUsers:telegram' },
  set_role: { Icon: Shield, label: 'adminUsers:setRole' },
  give: { Icon: Plus, label: 'adminUsers:give' },
  take: { Icon: Minus, label: 'adminUsers:take' },
  ban: { Icon: Ban, label: 'adminUsers:ban' },
  unban: { Icon: Ban, label: 'adminUsers:unban' },
} as const satisfies Record<Action, { Icon: typeof Ban; label: TextKey }>;

/** Without these permissions a press says that the function is coming. */
const comingWithout: Partial<Record<Action, Permission>> = { set_role: 'manage-roles', ban: 'manage-users' };

interface UserActionsProps {
  user: AdminUser;
  onDone: () => void;
}

export function UserActions({ user, onDone }: UserActionsProps) {
  const text = useText();
  const permissions = usePermissions();
  const [chosen, setChosen] = useState<Action | null>(null);
  const shown: Action[] = [
    'send_sms',
    'send_telegram',
    'set_role',
    'give',
    'take',
    user.actions.includes('unban') ? 'unban' : 'ban',
  ];
  const isComing = (action: Action) => {
    const permission = comingWithout[action];
    return permission !== undefined && !permissions.includes(permission);
  };
  const reason = useOwnMoney(user.own_money);
  const reasonId = useId();
  const reasonOf = (action: Action) => (action === 'give' || action === 'take' ? reason : null);

  function press(action: Action) {
    if (isComing(action)) void notify(text('adminUsers:coming'));
    else setChosen(action);
  }

  return (
    <div className="grid grid-cols-3 gap-2">
      {shown.map((action) => {
        const { Icon, label } = views[action];
        return (
          <button
            key={action}
            type="button"
            disabled={!isComing(action) && !user.actions.includes(action)}
            title={reasonOf(action) ?? undefined}
            aria-describedby={reasonOf(action) === null ? undefined : reasonId}
            className={classNames(
              'flex min-h-16 flex-col items-center justify-center gap-1 rounded-control px-1 text-small font-bold disabled:bg-transparent disabled:text-ink-3 disabled:shadow-card',
              action === 'ban' ? 'bg-error-tint text-error' : 'bg-surface-2',
            )}
            onClick={() => press(action)}
          >
            <Icon aria-hidden="true" size={20} />
            {text(label)}
          </button>
        );
      })}
      <SharedCardNote answer={user.own_money} />
      {reason !== null && (
        <div className="col-span-full">
          <OwnMoneyNote id={reasonId} reason={reason} />
        </div>
      )}
      {chosen !== null && <ActionPopup user={user} action={chosen} onClose={() => setChosen(null)} onDone={onDone} />}
    </div>
  );
}

interface ActionPopupProps extends UserActionsProps {
  action: Action;
  onClose: () => void;
}

function ActionPopup({ user, action, onClose, onDone }: ActionPopupProps) {
  if (action === 'send_sms' || action === 'send_telegram')
    return <MessagePopup user={user} channel={action} onClose={onClose} />;
  if (action === 'give' || action === 'take')
    return <MoneyPopup user={user} direction={action} onClose={onClose} onDone={onDone} />;
  if (action === 'set_role') return <RolePopup user={user} onClose={onClose} onDone={onDone} />;
  return <BanPopup user={user} isBan={action === 'ban'} onClose={onClose} onDone={onDone} />;
}
