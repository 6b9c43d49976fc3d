import type { User } from '@fpay/contract/account';
import MapIcon from 'lucide-react/icons/map';
import Pencil from 'lucide-react/icons/pencil';
import Plus from 'lucide-react/icons/plus';
import ScanQrCode from 'lucide-react/icons/scan-qr-code';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { formatPhone } from '../../ui/form/phone.ts';
import { Pressable } from '../../ui/form/pressable.tsx';
import { Money } from '../../ui/format/money.tsx';
import { Avatar } from '../../ui/layout/avatar.tsx';
import { useUser } from '../account/queries.ts';
import { AccountMenu } from './account-menu.tsx';
import { ConfirmPassword } from './confirm-password.tsx';
import { Invitations } from './invitations.tsx';
import { KnownStations } from './known-stations.tsx';
import { NoticeSettings } from './notice-settings.tsx';

export function Page() {
  const user = useUser();
  if (!user) return null;
  return (
    <div className="flex flex-1 flex-col gap-3 px-4 pt-1 pb-8">
      <Person user={user} />
      {user.needs_confirmation ? <ConfirmPassword /> : <Invitations />}
      <Wallet user={user} />
      <Shortcuts />
      <KnownStations />
      <AccountMenu user={user} />
      <NoticeSettings />
    </div>
  );
}

function Person({ user }: { user: User }) {
  const text = useText();
  return (
    <div className="mb-1 flex flex-wrap items-center gap-x-4 gap-y-2">
      <Avatar icon={user.icon} size={72} />
      <div className="min-w-[8rem] flex-1">
        <h1 className="text-h1 wrap-anywhere" data-title={text('menu:account')}>
          {user.name}
        </h1>
        <p className="tabular text-body text-ink-2 max-[359px]:text-note">{formatPhone(user.phone_number)}</p>
      </div>
      <IconButton label={text('account:edit')} icon={<Pencil size={20} />} look="outlined" to="/edit" />
    </div>
  );
}

/** Wraps its button to the next line on a narrow screen. */
function Wallet({ user }: { user: User }) {
  const text = useText();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card bg-wallet p-4 pl-5 text-on-wallet">
      <Pressable to="/balance" className="flex-auto rounded-control">
        <span className="block text-note text-on-wallet-2">{text('menu:balance')}</span>
        <Money amount={user.balance} still className="block text-h1" />
      </Pressable>
      <MainButton size="s" className="shrink-0" to="/balance" icon={<Plus aria-hidden="true" size={20} />}>
        {text('account:topUp')}
      </MainButton>
    </div>
  );
}

function Shortcuts() {
  const text = useText();
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-3">
      <Shortcut to="/map" icon={<MapIcon size={24} />} label={text('menu:map')} />
      <Shortcut to="/qr" icon={<ScanQrCode size={24} />} label={text('menu:scanQr')} />
    </div>
  );
}

function Shortcut({ to, icon, label }: { to: string; icon: ReactNode; label: string }) {
  return (
    <Pressable
      to={to}
      className="flex min-h-16 items-center gap-2.5 rounded-card bg-surface px-3.5 py-2 text-body font-[650] shadow-card active:bg-surface-2"
    >
      <span aria-hidden="true">{icon}</span>
      <span className="min-w-0">{label}</span>
    </Pressable>
  );
}
