import { type RawBuilder, sql } from 'kysely';
import { figuresIn, type StatsScope } from './figures.ts';

const dayMs = 86_400_000;
const columns = sql.raw('station_id, energy_wh, total, operations, successful');

/**
 * Figures per station for a range. Whole UTC months and days in which nothing changed since they were counted come from
 * `stats_months` and `stats_days`; the other days and both ends are read as the other figures are, hour by hour.
 */
export function stationFiguresIn(scope: StatsScope): RawBuilder<unknown> {
  const { from, to, withTemporary } = scope;
  const firstDay = new Date(Math.ceil(from.getTime() / dayMs) * dayMs);
  const lastDay = new Date(Math.floor(to.getTime() / dayMs) * dayMs);
  if (lastDay <= firstDay) return sql`(select ${columns} from ${figuresIn(scope, true)} whole)`;
  const people = withTemporary ? sql`true` : sql`not is_temporary`;
  const within = (hour: RawBuilder<unknown>) => sql`${hour} >= ${firstDay} and ${hour} < ${lastDay}`;
  const days = Array.from({ length: (lastDay.getTime() - firstDay.getTime()) / dayMs }, (_, n) =>
    new Date(firstDay.getTime() + n * dayMs).toISOString(),
  );
  return sql`(
    with changed_hours as materialized (select distinct hour from stats_changes where ${within(sql`hour`)}),
      changed_days as materialized (select distinct date_trunc('day', hour, 'UTC') as day from changed_hours),
      whole_months as materialized (
        select month from unnest(${wholeMonths(firstDay, lastDay)}::timestamptz[]) month
        where not exists (select from changed_days c where date_trunc('month', c.day, 'UTC') = month)),
      single_days as materialized (
        select day from unnest(${days}::timestamptz[]) day
        where date_trunc('month', day, 'UTC') not in (select month from whole_months)
          and not exists (select from changed_days c where c.day = day))
    select ${columns} from ${figuresIn({ ...scope, to: firstDay }, true)} beginning
    union all select ${columns} from ${figuresIn({ ...scope, from: lastDay }, true)} ending
    union all select ${columns} from stats_months m join whole_months w on w.month = m.month where ${people}
    union all select ${columns} from stats_days d join single_days s on s.day = d.day where ${people}
    union all select ${columns} from stats_hours h join changed_days c on h.hour >= c.day and h.hour < c.day + interval '24 hours'
      where h.station_id <> 0 and ${people} and not exists (select from changed_hours x where x.hour = h.hour)
    union all select ${columns} from changed_hours c
      cross join lateral count_operations(c.hour, c.hour + interval '1 hour', false) f where ${people}
    union all select ${columns} from count_operations(${firstDay}, ${lastDay}, true) f where ${people}
  )`;
}

/** The first instants of the UTC months that lie between two days completely. */
function wholeMonths(firstDay: Date, lastDay: Date): string[] {
  const months: string[] = [];
  const monthAt = (n: number) => new Date(Date.UTC(firstDay.getUTCFullYear(), firstDay.getUTCMonth() + n));
  for (let n = 0; monthAt(n + 1) <= lastDay; n += 1) if (monthAt(n) >= firstDay) months.push(monthAt(n).toISOString());
  return months;
}
