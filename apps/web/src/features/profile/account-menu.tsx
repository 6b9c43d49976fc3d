import type { User } from '@fpay/contract/account';
import Car from 'lucide-react/icons/car';
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column';
import Grid2x2 from 'lucide-react/icons/grid-2x2';
import History from 'lucide-react/icons/history';
import LogOut from 'lucide-react/icons/log-out';
import Nfc from 'lucide-react/icons/nfc';
import Send from 'lucide-react/icons/send';
import Shield from 'lucide-react/icons/shield';
import Users from 'lucide-react/icons/users';
import Zap from 'lucide-react/icons/zap';
import { useText } from '../../i18n/use-text.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { List, ListItem } from '../../ui/layout/list.tsx';
import { roleText } from './role-text.ts';
import { useSignOut } from './sign-out.ts';

/** The links of the account. A link that the role may not use is grey and shows the reason. */
export function AccountMenu({ user }: { user: User }) {
  return (
    <>
      <OpenCharges count={user.active_operations.length} />
      <Duties user={user} />
      <Records user={user} />
      <Extras user={user} />
      <Leave />
    </>
  );
}

function OpenCharges({ count }: { count: number }) {
  const text = useText();
  return (
    <List>
      <ListItem
        to="/active"
        icon={<Zap size={20} />}
        {...(count > 0 && { wellClassName: 'bg-charging-tint text-charging' })}
        title={text('menu:activeSessions')}
        subtitle={count > 0 ? text('menu:openSessions', { count }) : text('status:activeEmpty')}
      />
    </List>
  );
}

/** Only for staff and members of a party. */
function Duties({ user: { permissions, role, party } }: { user: User }) {
  const text = useText();
  const isStaff = permissions.includes('access-admin-page');
  if (!isStaff && !party) return null;
  return (
    <List>
      {isStaff && (
        <ListItem
          to="/admin"
          icon={<Shield size={20} />}
          title={text('account:admin')}
          subtitle={text(roleText[role])}
        />
      )}
      {party && (
        <ListItem
          to="/party"
          icon={<Users size={20} />}
          title={text('account:party', { name: party.name })}
          subtitle={party.is_owner ? text('account:partyOwner') : text('account:partyMember')}
        />
      )}
    </List>
  );
}

function Records({ user: { cars, active_car_id } }: { user: User }) {
  const text = useText();
  const car = cars.find(({ id }) => id === active_car_id);
  return (
    <List>
      <ListItem to="/history" icon={<History size={20} />} title={text('account:history')} />
      <ListItem to="/stats" icon={<ChartNoAxesColumn size={20} />} title={text('account:stats')} />
      <ListItem to="/cars" icon={<Car size={20} />} title={text('cars:title')} subtitle={car?.name} />
    </List>
  );
}

function Extras({ user }: { user: User }) {
  const text = useText();
  const mayUseCards = user.permissions.includes('access-admin-page');
  return (
    <List>
      <ListItem
        href={user.telegram_link}
        icon={<Send size={20} />}
        title={text('menu:bot')}
        subtitle={user.has_telegram ? text('account:botLinked') : text('account:botOffer')}
      />
      <ListItem
        to="/rfid"
        icon={<Nfc size={20} />}
        title={text('rfid:title')}
        disabled={!mayUseCards}
        {...(!mayUseCards && { subtitle: text('account:staffOnly') })}
      />
      <ListItem
        disabled
        icon={<Grid2x2 size={20} />}
        title={text('account:pixels')}
        trailing={<Badge tone="offline">{text('account:soon')}</Badge>}
      />
    </List>
  );
}

function Leave() {
  const text = useText();
  const { askToSignOut } = useSignOut();
  return (
    <List>
      <ListItem
        onPress={askToSignOut}
        arrow={false}
        icon={<LogOut size={20} />}
        wellClassName="bg-error-tint text-error"
        title={text('account:signOut')}
      />
    </List>
  );
}
