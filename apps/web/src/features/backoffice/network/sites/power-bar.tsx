import type { SiteView } from '@fpay/contract/admin/network/sites';
import { watts } from '@fpay/contract/money';
import { useText } from '../../../../i18n/use-text.ts';
import { formatPower } from '../../../../ui/format/power.tsx';
import { classNames } from '../../../../ui/hooks/class-names.ts';
import { shareColors } from './share-colors.ts';

/** The limit as a bar: a part for each running charge, what is subtracted hatched, the rest empty. */
export function PowerBar({ site }: { site: SiteView }) {
  const text = useText();
  const running = site.rows.filter(({ is_charging, has_profiles }) => is_charging && has_profiles);
  const taken = running.reduce((sum, row) => sum + (row.taken ?? 0), 0);
  const whole = Math.max(site.limit_now, taken + site.subtracted);
  const width = (power: number) => ({ width: `${(100 * power) / whole}%` });
  return (
    <>
      <div className="flex h-14 gap-0.5 overflow-hidden rounded-control bg-surface-2" aria-hidden="true">
        {running.map((row, index) => (
          <span
            key={row.id}
            style={width(row.taken ?? 0)}
            className={classNames(
              'min-w-0 overflow-hidden px-2 py-1.5 text-small whitespace-nowrap',
              shareColors(index),
            )}
          >
            <span className="block font-bold">{formatPower(row.taken ?? watts(0))}</span>
            {row.station}-{row.number}
          </span>
        ))}
        {site.subtracted > 0 && (
          <span
            style={width(site.subtracted)}
            className="hatched min-w-0 overflow-hidden px-2 py-1.5 text-small whitespace-nowrap"
          >
            <span className="block font-bold">{formatPower(site.subtracted)}</span>
            {text('networkSites:subtractedShort')}
          </span>
        )}
      </div>
      <p className="mt-1.5 flex justify-between text-small text-ink-2">
        <span>0</span>
        <span className="font-bold text-ink">
          {text('networkSites:limitOf', { power: formatPower(site.limit_now, { rated: true }) })}
        </span>
      </p>
      {running.length > 1 && <p className="mt-1 text-small text-ink-2">{text('networkSites:driverSees')}</p>}
    </>
  );
}
