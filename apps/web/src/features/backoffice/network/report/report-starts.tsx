import type { StationReport } from '@fpay/contract/admin/network/station-report';
import { connectorTypes } from '@fpay/contract/connectors';
import { useText } from '../../../../i18n/use-text.ts';
import { Link } from '../../../../router/index.ts';
import { Energy } from '../../../../ui/format/energy.tsx';
import { classNames } from '../../../../ui/hooks/class-names.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { ConnectorIcon } from '../../../../ui/picture/connector-icon.tsx';
import { reasonTexts } from '../overview/problem-view.ts';
import { sharePath } from '../share-path.ts';
import { sharePercent } from './report-text.ts';

/** A day with more than this offline is red, any other outage amber. */
const badMinutes = 60;

/** Starts against the network, the connection day by day, why charges did not begin, and each connector. */
export function ReportStarts({ report }: { report: StationReport }) {
  return (
    <div className="grid items-start gap-3 lg:grid-cols-2 xl:grid-cols-3">
      <Card className="min-w-0">
        <GoodStarts report={report} />
        <Connection days={report.days} />
      </Card>
      <Card className="min-w-0">
        <Failures report={report} />
      </Card>
      <Connectors connectors={report.connectors} />
    </div>
  );
}

function GoodStarts({ report: { days, number } }: { report: StationReport }) {
  const text = useText();
  return (
    <>
      <h2 className="mb-2 flex flex-wrap justify-between gap-2 text-label">
        {text('networkReport:goodStarts')}
        <span className="text-small font-medium text-ink-2">
          {number} — · {text('networkReport:wholeNetwork')} - -
        </span>
      </h2>
      <svg aria-hidden="true" viewBox="0 0 280 80" preserveAspectRatio="none" className="h-32 w-full">
        <path d="M0 1H280M0 40H280M0 79H280" className="stroke-line" fill="none" />
        <path
          d={sharePath(days.map(({ network_success }) => network_success))}
          className="stroke-offline-fill"
          fill="none"
          strokeWidth={2}
          strokeDasharray="4 4"
          vectorEffect="non-scaling-stroke"
        />
        <path
          d={sharePath(days.map(({ success }) => success))}
          className="stroke-free-fill"
          fill="none"
          strokeWidth={2.5}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </>
  );
}

function Connection({ days }: Pick<StationReport, 'days'>) {
  const text = useText();
  const offline = days.reduce((sum, { offline_minutes }) => sum + offline_minutes, 0);
  return (
    <>
      <h2 className="mt-4 mb-2 flex flex-wrap justify-between gap-2 text-label">
        {text('networkReport:connectionByDay')}
        <span className="text-small font-medium text-ink-2">
          {text('networkReport:minutesOffline', { count: offline })}
        </span>
      </h2>
      <ul className="flex gap-1">
        {days.map(({ day, offline_minutes }) => (
          <li
            key={day}
            className={classNames(
              'h-7 min-w-0 flex-1 rounded-[5px]',
              offline_minutes === 0
                ? 'bg-free-fill'
                : offline_minutes > badMinutes
                  ? 'bg-error-fill'
                  : 'bg-occupied-fill',
            )}
          >
            <span className="sr-only">
              {day}: {text('networkReport:minutesOffline', { count: offline_minutes })}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Failures({ report: { reasons, attempts } }: { report: StationReport }) {
  const text = useText();
  const failed = reasons.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...reasons.map(({ count }) => count));
  return (
    <>
      <h2 className="mb-2 flex justify-between gap-2 text-label">
        {text('networkReport:whyNotStarted2')}
        <span className="tabular text-small font-medium text-ink-2">
          {text('networkReport:countOf', { part: failed, whole: attempts })}
        </span>
      </h2>
      {reasons.length === 0 && (
        <p className="text-small text-ink-2">
          {text(attempts === 0 ? 'networkReport:noStarts' : 'networkReport:allStarted')}
        </p>
      )}
      <ul className="flex flex-col gap-3">
        {reasons.map(({ reason, count, operations }) => (
          <li key={reason} className="text-note">
            <p className="flex justify-between gap-2">
              <span className="font-bold">{text(reasonTexts[reason])}</span>
              <span className="tabular text-ink-2">
                {count} · {sharePercent(count / Math.max(1, failed), 0)}
              </span>
            </p>
            <span className="mt-1 block h-2 overflow-hidden rounded-full bg-surface-2" aria-hidden="true">
              <span className="block h-full bg-error-fill" style={{ width: `${(100 * count) / most}%` }} />
            </span>
            <p className="flex flex-wrap gap-x-3">
              {operations.slice(0, 4).map((id) => (
                <Link
                  key={id}
                  to={`/admin/operations/${id}`}
                  className="inline-flex min-h-6 items-center text-small font-bold text-accent-text"
                >
                  № {id}
                </Link>
              ))}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

function Connectors({ connectors }: Pick<StationReport, 'connectors'>) {
  const text = useText();
  return (
    <section
      aria-label={text('network:connectors')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, so the keyboard must reach it.
      tabIndex={0}
      className="min-w-0 overflow-x-auto rounded-card bg-surface p-4 shadow-card"
    >
      <table className="w-full text-note">
        <caption className="mb-2 text-left text-label">{text('network:connectors')}</caption>
        <thead>
          <tr className="text-left text-small text-ink-2 *:pb-1 *:font-[650]">
            <th scope="col">{text('network:connector')}</th>
            <th scope="col" className="text-right">
              {text('networkReport:energy')}
            </th>
            <th scope="col" className="text-right">
              {text('networkReport:busy')}
            </th>
            <th scope="col" className="text-right">
              {text('networkReport:starts')}
            </th>
          </tr>
        </thead>
        <tbody>
          {connectors.map((connector) => (
            <tr key={connector.id} className="h-11 border-t border-line">
              <th scope="row" className="text-left font-bold whitespace-nowrap">
                <span className="inline-flex items-center gap-2">
                  <ConnectorIcon type={connector.type} size={22} />
                  {connectorTypes[connector.type].name} № {connector.number}
                </span>
              </th>
              <td className="text-right">
                <Energy energy={connector.energy} />
              </td>
              <td className="tabular text-right">{sharePercent(connector.utilisation, 0)}</td>
              <td className="tabular text-right">{sharePercent(connector.success, 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
