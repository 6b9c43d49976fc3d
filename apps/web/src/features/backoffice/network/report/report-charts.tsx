import type { StationReport } from '@fpay/contract/admin/network/station-report';
import { useText } from '../../../../i18n/use-text.ts';
import { formatNumber } from '../../../../ui/format/number-format.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { sharePercent } from './report-text.ts';

const dayName = (day: string) => `${Number(day.slice(8))}.${day.slice(5, 7)}`;
/** 5 January 1970 was a Monday. */
const monday = Date.UTC(1970, 0, 5);

/** Energy by day, and how busy the station is by hour and weekday. */
export function ReportCharts({ days, hours }: Pick<StationReport, 'days' | 'hours'>) {
  return (
    <div className="grid gap-3 xl:grid-cols-2">
      <EnergyByDay days={days} />
      <BusyByHour hours={hours} />
    </div>
  );
}

function EnergyByDay({ days }: Pick<StationReport, 'days'>) {
  const text = useText();
  const most = Math.max(1, ...days.map(({ ac, dc }) => ac + dc));
  return (
    <Card className="min-w-0">
      <h2 className="mb-2 flex flex-wrap justify-between gap-2 text-label">
        {text('networkReport:energyByDay')}
        <span className="flex gap-3 text-small font-medium text-ink-2">
          <span>
            <span aria-hidden="true" className="mr-1 inline-block size-2.5 rounded-full bg-charging-fill" />
            DC
          </span>
          <span>
            <span aria-hidden="true" className="mr-1 inline-block size-2.5 rounded-full bg-ready-fill" />
            AC
          </span>
        </span>
      </h2>
      <ul className="flex h-44 items-end gap-1">
        {days.map(({ day, ac, dc }) => (
          <li key={day} className="flex h-full min-w-0 flex-1 flex-col justify-end">
            <span className="sr-only">
              {dayName(day)}: {formatNumber((ac + dc) / 1000, { least: 0, most: 1 })} {text('generic:kwh')}
            </span>
            <span
              aria-hidden="true"
              className="block rounded-t-[4px] bg-ready-fill"
              style={{ height: `${(86 * ac) / most}%` }}
            />
            <span aria-hidden="true" className="block bg-charging-fill" style={{ height: `${(86 * dc) / most}%` }} />
          </li>
        ))}
      </ul>
      <p aria-hidden="true" className="mt-1 flex justify-between text-small text-ink-2">
        <span>{dayName(days[0]?.day ?? '')}</span>
        <span>{dayName(days.at(-1)?.day ?? '')}</span>
      </p>
    </Card>
  );
}

/** The darker an hour of a weekday, the more of it the connectors were in use. */
function BusyByHour({ hours }: Pick<StationReport, 'hours'>) {
  const text = useText();
  const busiest = Math.max(0.01, ...hours.flat().map((share) => share ?? 0));
  const weekday = new Intl.DateTimeFormat(document.documentElement.lang, { weekday: 'short', timeZone: 'UTC' });
  return (
    <Card className="min-w-0">
      <h2 className="mb-2 flex justify-between gap-2 text-label">
        {text('networkReport:busyByHour')}
        <span className="text-small font-medium text-ink-2">0 – {sharePercent(busiest, 0)}</span>
      </h2>
      <table className="w-full border-separate border-spacing-0.5">
        <caption className="sr-only">{text('networkReport:busyByHour')}</caption>
        <tbody>
          {hours.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are the days of the week.
            <tr key={index}>
              <th scope="row" className="w-8 text-left text-small font-medium text-ink-2">
                {weekday.format(monday + index * 24 * 3_600_000)}
              </th>
              {row.map((share, hour) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: the cells are the hours of the day.
                  key={hour}
                  className="relative h-5 overflow-hidden rounded-[4px] bg-surface-2 p-0"
                >
                  <span
                    aria-hidden="true"
                    className="absolute inset-0 bg-charging-fill"
                    style={{ opacity: (share ?? 0) / busiest }}
                  />
                  <span className="sr-only">
                    {hour}:00 {sharePercent(share, 0)}
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p aria-hidden="true" className="mt-1 flex justify-between pl-8 text-small text-ink-2">
        <span>00</span>
        <span>12</span>
        <span>23</span>
      </p>
    </Card>
  );
}
