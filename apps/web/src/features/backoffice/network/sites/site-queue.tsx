import type { SiteView } from '@fpay/contract/admin/network/sites';
import { connectorTypes } from '@fpay/contract/connectors';
import { useText } from '../../../../i18n/use-text.ts';
import { Link } from '../../../../router/index.ts';
import { DateTime } from '../../../../ui/format/date-time.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { useMay } from '../../parts/use-may.ts';

/** Drivers who wait until the site has power for them, in order. */
export function SiteQueue({ queue }: { queue: SiteView['queue'] }) {
  const text = useText();
  const seesUsers = useMay('monitor-users');
  return (
    <Card>
      <h2 className="mb-2 text-label">{text('networkSites:siteQueue')}</h2>
      {queue.length === 0 ? (
        <p className="text-small text-ink-2">{text('networkSites:siteQueueNone')}</p>
      ) : (
        <ol className="flex flex-col gap-2 text-note">
          {queue.map(({ user, station, number, type, since, turn_at, head_start_until }, index) => (
            <li key={user.id} className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span>
                <span className="tabular text-ink-2">{index + 1}.</span>{' '}
                {seesUsers ? (
                  <Link to={`/admin/users/${user.id}`} className="font-bold text-accent-text">
                    {user.name || `№ ${user.id}`}
                  </Link>
                ) : (
                  <strong className="font-bold">{user.name || `№ ${user.id}`}</strong>
                )}{' '}
                · {station}-{number} {connectorTypes[type].name}
              </span>
              <span className="tabular text-ink-2">
                {text('networkSites:siteQueueSince')} <DateTime instant={since} form="time" /> ·{' '}
                {head_start_until !== null ? (
                  <strong className="font-bold text-free">
                    {text('networkSites:siteQueueTurn')} <DateTime instant={head_start_until} form="time" />
                  </strong>
                ) : turn_at !== null ? (
                  <>
                    {text('networkSites:siteQueueAt')} <DateTime instant={turn_at} form="time" />
                  </>
                ) : (
                  text('networkSites:siteQueueUnknown')
                )}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
