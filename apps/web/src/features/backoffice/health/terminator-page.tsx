import { useQuery } from '@tanstack/react-query';
import { useText } from '../../../i18n/use-text.ts';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { Badge } from '../../../ui/layout/badge.tsx';
import { EmptyList } from '../../../ui/layout/empty-list.tsx';
import { List, ListItem } from '../../../ui/layout/list.tsx';
import { HealthFrame } from './health-frame.tsx';
import { healthQueries } from './queries.ts';

/** What the watchdogs stopped in the last 7 days and what they will stop, the latest operation first. */
export function Page() {
  const text = useText();
  const found = useQuery(healthQueries.terminations());
  return (
    <HealthFrame view="/admin/terminator" found={found}>
      {(terminations) =>
        terminations.length === 0 ? (
          <EmptyList>{text('adminHealth:nothingStopped')}</EmptyList>
        ) : (
          <List label={text('admin:terminator')}>
            {terminations
              .toSorted((one, other) => other.id - one.id)
              .map(({ id, type, total, amount, is_pending, started_at, finished_at }) => (
                <ListItem
                  key={id}
                  to={`/admin/operations/${id}`}
                  title={`${id} · ${type}`}
                  subtitle={
                    <>
                      <Money amount={total} /> {text('admin:of')} <Money amount={amount} />
                      {started_at && (
                        <>
                          {' · '}
                          <DateTime instant={started_at} />
                        </>
                      )}
                      {finished_at && (
                        <>
                          {' – '}
                          <DateTime instant={finished_at} />
                        </>
                      )}
                    </>
                  }
                  trailing={
                    is_pending ? (
                      <Badge tone="occupied">{text('adminHealth:beingStopped')}</Badge>
                    ) : (
                      <Badge tone="free">{text('adminHealth:stopped')}</Badge>
                    )
                  }
                />
              ))}
          </List>
        )
      }
    </HealthFrame>
  );
}
