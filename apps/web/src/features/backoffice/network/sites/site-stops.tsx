import type { SiteView } from '@fpay/contract/admin/network/sites';
import { useText } from '../../../../i18n/use-text.ts';
import { Link } from '../../../../router/index.ts';
import { DateTime } from '../../../../ui/format/date-time.tsx';
import { Energy } from '../../../../ui/format/energy.tsx';
import { Card } from '../../../../ui/layout/card.tsx';

/** Charges that were stopped because the site was above its limit. */
export function SiteStops({ stops }: { stops: SiteView['stops'] }) {
  const text = useText();
  return (
    <Card>
      <h2 className="mb-2 text-label">{text('networkSites:siteStops')}</h2>
      {stops.length === 0 ? (
        <p className="text-small text-ink-2">{text('networkSites:siteStopsNone')}</p>
      ) : (
        <ul className="flex flex-col gap-2 text-note">
          {stops.map(({ operation, station, number, at, energy }) => (
            <li key={operation} className="flex flex-wrap items-baseline justify-between gap-x-4">
              <Link to={`/admin/operations/${operation}`} className="font-bold text-accent-text">
                № {operation} · {station}-{number}
              </Link>
              <span className="tabular text-ink-2">
                <DateTime instant={at} /> · <Energy energy={energy} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
