import type { Today } from '@fpay/contract/admin/stats';
import Calculator from 'lucide-react/icons/calculator';
import CircleCheck from 'lucide-react/icons/circle-check';
import Landmark from 'lucide-react/icons/landmark';
import Timer from 'lucide-react/icons/timer';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import UserCheck from 'lucide-react/icons/user-check';
import WifiOff from 'lucide-react/icons/wifi-off';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { List, ListItem } from '../../../ui/layout/list.tsx';

type Waiting = NonNullable<Today['attention']>;

const urgent = 'bg-error-tint text-error';
const soon = 'bg-occupied-tint text-occupied';

/** The most urgent first. A row without an address has no page yet and is only information. */
const rows = [
  { of: 'terminator', Icon: Timer, text: 'adminHome:waitTerminator', well: urgent, to: '/admin/terminator' },
  { of: 'anomalies', Icon: TriangleAlert, text: 'adminHome:waitAnomalies', well: urgent, to: '/admin/anomalies' },
  { of: 'counters', Icon: Calculator, text: 'adminHome:waitCounters', well: soon, to: '/admin/counters' },
  { of: 'money', Icon: Landmark, text: 'adminHome:waitMoney', well: soon, to: '/admin/money' },
  { of: 'approvals', Icon: UserCheck, text: 'adminHome:waitApprovals', well: soon, to: '/admin/money?kind=approval' },
  { of: 'offline_stations', Icon: WifiOff, text: 'adminHome:waitOffline', well: soon, to: null },
] as const satisfies readonly {
  of: keyof Waiting;
  Icon: typeof Timer;
  text: TextKey;
  well: string;
  to: string | null;
}[];

/** What waits for staff, by kind. */
export function Attention({ attention, checkedAt }: { attention: Waiting; checkedAt: string }) {
  const text = useText();
  const waiting = rows.filter(({ of }) => (attention[of] ?? 0) > 0);
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-card">{text('adminHome:attention')}</h2>
      <List label={text('adminHome:attention')}>
        {waiting.length === 0 && (
          <ListItem
            title={text('adminHome:allQuiet')}
            subtitle={<DateTime instant={checkedAt} form="time" />}
            icon={<CircleCheck aria-hidden="true" size={20} />}
            wellClassName="bg-free-tint text-free"
          />
        )}
        {waiting.map(({ of, Icon, text: key, well, to }) => (
          <ListItem
            key={of}
            title={text(key, { count: attention[of] ?? 0 })}
            icon={<Icon aria-hidden="true" size={20} />}
            wellClassName={well}
            {...(to && { to })}
          />
        ))}
      </List>
    </section>
  );
}
