import type { UserStats } from '@fpay/contract/history';
import ArrowDownLeft from 'lucide-react/icons/arrow-down-left';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import Banknote from 'lucide-react/icons/banknote';
import Hourglass from 'lucide-react/icons/hourglass';
import Info from 'lucide-react/icons/info';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { Money } from '../../ui/format/money.tsx';
import { List, ListItem } from '../../ui/layout/list.tsx';
import { notify } from '../../ui/overlay/popups.ts';
import { spentOf } from './figures.ts';

const value = 'text-card font-extrabold';

/** The cost. Balance and debt do not depend on a car, so these lines are the same for each car. */
export function Totals({ stats }: { stats: UserStats }) {
  const text = useText();
  const hasDebt = stats.debt > 0;
  return (
    <List label={text('stats:totals')}>
      <ListItem
        icon={<Banknote size={20} />}
        title={text('stats:spent')}
        trailing={<Money amount={spentOf(stats)} className={value} />}
      />
      <ListItem
        icon={<ArrowDownLeft size={20} />}
        wellClassName="bg-free-tint text-free"
        title={text('stats:balanceEarned')}
        trailing={<Money amount={stats.balance_earned} brief className={value} />}
      />
      <ListItem
        icon={<ArrowUpRight size={20} />}
        title={text('stats:balanceSpent')}
        trailing={<Money amount={stats.balance_spent} brief className={value} />}
      />
      <ListItem
        icon={<Hourglass size={20} />}
        wellClassName={hasDebt ? 'bg-occupied-tint text-occupied' : 'bg-surface-2'}
        title={
          <span className="inline-flex items-center">
            {text('stats:debt')}
            <IconButton
              label={text('stats:whatIsDebt')}
              icon={<Info aria-hidden="true" size={18} />}
              onPress={() => void notify(text('stats:debtText'))}
              className="-my-3 text-ink-2"
            />
          </span>
        }
        subtitle={hasDebt && text('stats:debtLater')}
        trailing={<Money amount={stats.debt} className={hasDebt ? `${value} text-occupied` : value} />}
      />
    </List>
  );
}
