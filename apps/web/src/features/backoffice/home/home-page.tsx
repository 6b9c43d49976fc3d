import { useQuery } from '@tanstack/react-query';
import ChartColumn from 'lucide-react/icons/chart-column';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Power from 'lucide-react/icons/power';
import Star from 'lucide-react/icons/star';
import Users from 'lucide-react/icons/users';
import Zap from 'lucide-react/icons/zap';
import { Loaded } from '../../../data/loaded.tsx';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Pressable } from '../../../ui/form/pressable.tsx';
import { RefreshButton } from '../../../ui/form/refresh-button.tsx';
import { List, ListItem } from '../../../ui/layout/list.tsx';
import { Skeleton } from '../../../ui/layout/skeleton.tsx';
import { entriesFor } from '../entries.ts';
import { StaffClock } from '../parts/clock.tsx';
import { figureGrid } from '../parts/figure-grid.ts';
import { useMay, usePermissions } from '../parts/use-may.ts';
import { staffQueries } from '../queries.ts';
import { StaffPage } from '../shell/staff-page.tsx';
import { Attention } from './attention.tsx';
import { Figures } from './figures.tsx';

const buttons = [
  { to: '/admin/operations', Icon: Zap, label: 'admin:operations' },
  { to: '/admin/users', Icon: Users, label: 'admin:users' },
  { to: '/admin/stats', Icon: ChartColumn, label: 'admin:stats' },
  { to: '/admin/feedback', Icon: Star, label: 'admin:feedback' },
] as const;

/** Today at a glance, what needs attention, and the way to every list. */
export function Page() {
  const text = useText();
  const mayMonitor = useMay('monitor-operations');
  const mayManageApp = useMay('manage-app');
  const open = new Set(entriesFor(usePermissions()).map(({ to }) => to));
  const found = useQuery(staffQueries.today());
  const { refetch, dataUpdatedAt } = found;
  return (
    <StaffPage
      title={text('generic:today')}
      subtitle={<StaffClock />}
      back="/account"
      actions={<RefreshButton onRefresh={() => void refetch()} fetchedAt={dataUpdatedAt} />}
    >
      <Loaded query={found} waiting={<Skeleton className="h-28 rounded-card" />}>
        {(today) => (
          <>
            <Figures today={today} />
            {today.attention && <Attention attention={today.attention} checkedAt={today.at} />}
          </>
        )}
      </Loaded>
      <nav aria-label={text('adminHome:lists')} className={figureGrid}>
        {buttons
          .filter(({ to }) => open.has(to))
          .map(({ to, Icon, label }) => (
            <Pressable
              key={to}
              to={to}
              className="flex min-h-14 items-center gap-2 rounded-card bg-surface px-3 text-label shadow-card hover:bg-surface-2 min-[360px]:gap-3 min-[360px]:px-4"
            >
              <Icon aria-hidden="true" size={20} className="shrink-0 text-ink-2" />
              {text(label)}
            </Pressable>
          ))}
      </nav>
      {mayMonitor && <HealthBlock />}
      {mayManageApp && (
        <Button to="/admin/shutdown" kind="danger" icon={<Power aria-hidden="true" size={20} />}>
          SHUTDOWN
        </Button>
      )}
    </StaffPage>
  );
}

/** Closed at first, because most of the time there is nothing to see. */
function HealthBlock() {
  const text = useText();
  return (
    <details className="group rounded-card bg-surface shadow-card">
      <summary className="flex min-h-14 cursor-pointer list-none items-center gap-3 px-4 text-label">
        <ChevronRight aria-hidden="true" size={20} className="text-ink-2 group-open:rotate-90" />
        {text('admin:health')}
      </summary>
      <List label={text('admin:health')}>
        <ListItem to="/admin/anomalies" title={text('admin:anomalies')} subtitle={text('adminHome:anomaliesText')} />
        <ListItem to="/admin/terminator" title={text('admin:terminator')} subtitle={text('adminHome:terminatorText')} />
        <ListItem to="/admin/counters" title={text('admin:counters')} subtitle={text('adminHome:countersText')} />
      </List>
    </details>
  );
}
