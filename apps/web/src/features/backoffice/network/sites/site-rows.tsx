import type { CountsAs, SiteConnectorView } from '@fpay/contract/admin/network/sites';
import { connectorTypes } from '@fpay/contract/connectors';
import type { TextKey } from '../../../../i18n/text-key.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Link } from '../../../../router/index.ts';
import { Power } from '../../../../ui/format/power.tsx';
import { classNames } from '../../../../ui/hooks/class-names.ts';
import { ConnectorIcon } from '../../../../ui/picture/connector-icon.tsx';

/** Every connector of the site: what it takes, what it may take, and what it could. */
export function SiteRows({ rows }: { rows: readonly SiteConnectorView[] }) {
  const text = useText();
  return (
    <section
      aria-label={text('network:connectors')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, so the keyboard must reach it.
      tabIndex={0}
      className="overflow-x-auto rounded-card bg-surface shadow-card"
    >
      <table aria-label={text('network:connectors')} className="w-full text-note">
        <thead>
          <tr className="h-9 border-b border-line text-left text-small text-ink-2 *:px-2 *:font-[650] sm:*:px-3">
            <th scope="col">{text('network:connector')}</th>
            <th scope="col">{text('networkSites:who')}</th>
            <th scope="col" className="text-right">
              {text('networkSites:takes')}
            </th>
            <th scope="col" className="text-right">
              {text('networkSites:allowed')}
            </th>
            {/* A phone has the reason below the name instead. */}
            <th scope="col" className="hidden text-right sm:table-cell">
              {text('networkSites:counts')}
            </th>
            <th scope="col" className="text-right">
              {text('networkSites:rated')}
            </th>
            <th scope="col" className="text-right">
              {text('networkSites:car')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <SiteRow key={row.id} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SiteRow({ row }: { row: SiteConnectorView }) {
  return (
    <tr className="h-12 border-b border-line last:border-0 *:px-2 sm:*:px-3">
      <th scope="row" className="text-left font-bold whitespace-nowrap">
        <span className="inline-flex items-center gap-2">
          {/* A phone has only room for the columns of numbers. */}
          <span className="hidden sm:inline">
            <ConnectorIcon type={row.type} size={22} />
          </span>
          {row.station}-{row.number}{' '}
          <span className="hidden font-medium sm:inline">{connectorTypes[row.type].name}</span>
        </span>
      </th>
      <td>
        <Who row={row} />
      </td>
      <td className="text-right font-bold">{row.taken === null ? '—' : <Power power={row.taken} />}</td>
      <td className="text-right">{!row.is_charging ? '—' : <Power power={row.allowed ?? row.rated} />}</td>
      <td className="hidden text-right sm:table-cell">
        <Power power={row.counts} rated />
      </td>
      <td className="text-right">
        <Power power={row.rated} rated />
      </td>
      <td className="tabular text-right">{row.soc === null ? '—' : `${row.soc} %`}</td>
    </tr>
  );
}

/** Why a connector counts what it counts; a free one needs no words. */
const why = {
  free: null,
  waiting: 'networkSites:countsWaiting',
  obeys: 'networkSites:countsObeys',
  unseen: 'networkSites:countsUnseen',
  ignores: 'networkSites:countsIgnores',
  no_profiles: 'networkSites:countsNoProfiles',
  offline: 'networkSites:countsOffline',
  ending: 'networkSites:countsEnding',
} as const satisfies Record<CountsAs, TextKey | null>;

function Who({ row }: { row: SiteConnectorView }) {
  const text = useText();
  const { operation, user, counts_as } = row;
  const isFree = operation === null || counts_as === 'free';
  const reason = why[counts_as];
  return (
    <>
      {isFree ? (
        <span className="text-ink-2">
          {text(
            !row.has_profiles
              ? 'networkSites:withoutProfile'
              : row.is_online
                ? 'networkSites:freeNow'
                : 'network:offline',
          )}
        </span>
      ) : (
        <Link to={`/admin/operations/${operation}`} className="font-bold text-accent-text">
          {user || `№ ${operation}`}
        </Link>
      )}
      {reason !== null && (
        <span
          className={classNames(
            'block text-small',
            counts_as === 'ignores' ? 'text-error' : counts_as === 'obeys' ? 'text-ink-2' : 'text-occupied',
          )}
        >
          {text(reason)}
        </span>
      )}
    </>
  );
}
