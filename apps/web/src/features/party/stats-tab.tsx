import { addressFor } from '@fpay/contract/languages';
import type { WattHours } from '@fpay/contract/money';
import type { PartyData, PartyMember, PartyStats } from '@fpay/contract/party';
import { useQuery } from '@tanstack/react-query';
import Divide from 'lucide-react/icons/divide';
import Users from 'lucide-react/icons/users';
import { Loaded } from '../../data/loaded.tsx';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { formatPhone } from '../../ui/form/phone.ts';
import { Pressable } from '../../ui/form/pressable.tsx';
import { formatKwh } from '../../ui/format/energy.tsx';
import { formatInstant, formatNumber } from '../../ui/format/number-format.ts';
import { classNames } from '../../ui/hooks/class-names.ts';
import { useWide } from '../../ui/hooks/use-wide.ts';
import { Avatar } from '../../ui/layout/avatar.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { BarChart } from '../../ui/picture/bar-chart.tsx';
import { percentText, presentText } from './figure-text.ts';
import { FiguresFilterBar, useFiguresFilter } from './figures-filter.tsx';
import { partyQueries, viewerZone } from './queries.ts';

export function StatsTab({ party }: { party: PartyData }) {
  const text = useText();
  const { filter, setFilter } = useFiguresFilter(true);
  const isWide = useWide();
  const found = useQuery(partyQueries.stats(filter));
  const figures = (
    <div className="flex min-w-0 flex-col gap-3">
      <FiguresFilterBar
        members={party.member_list}
        filter={filter}
        onChange={setFilter}
        withAverage
        withUser={!isWide}
      />
      <Loaded query={found} failure={text('party:statsNotRead')} rows={4}>
        {(data) => <Figures stats={data} />}
      </Loaded>
    </div>
  );
  if (!isWide) return figures;
  return (
    <div className="grid grid-cols-[20rem_1fr] gap-4">
      <UserList members={party.member_list} chosen={filter.user} onChoose={(user) => setFilter({ ...filter, user })} />
      {figures}
    </div>
  );
}

interface UserListProps {
  members: readonly PartyMember[];
  chosen: string;
  onChoose: (user: string) => void;
}

/** The users beside the figures, where there is room for them. */
function UserList({ members, chosen, onChoose }: UserListProps) {
  const text = useText();
  const rows = [
    {
      value: 'all',
      name: text('party:allMembers'),
      note: text('party:memberCount', { count: members.length }),
      icon: null,
    },
    { value: 'avg', name: text('party:average'), note: text('party:perMember'), icon: null },
    ...members.map(({ id, name, phone_number, icon }) => ({
      value: String(id),
      name,
      note: formatPhone(phone_number),
      icon,
    })),
  ];
  return (
    <ul
      aria-label={text('party:user')}
      className="max-h-[80dvh] divide-y divide-line self-start overflow-y-auto rounded-card bg-surface shadow-card"
    >
      {rows.map(({ value, name, note, icon }) => (
        <li key={value}>
          <Pressable
            onPress={() => onChoose(value)}
            aria-pressed={chosen === value}
            className={classNames(
              'flex min-h-14 w-full items-center gap-3 px-4 py-2 text-left -outline-offset-3',
              chosen === value ? 'bg-free-tint' : 'active:bg-surface-2',
            )}
          >
            {icon === null ? (
              <span aria-hidden="true" className="flex size-9 items-center justify-center rounded-full bg-surface-2">
                {value === 'all' ? <Users size={18} /> : <Divide size={18} />}
              </span>
            ) : (
              <Avatar icon={icon} size={36} />
            )}
            <span className="min-w-0">
              <span className="block truncate text-note font-[650]">{name}</span>
              <span className="tabular block text-small text-ink-2">{note}</span>
            </span>
          </Pressable>
        </li>
      ))}
    </ul>
  );
}

function Figures({ stats }: { stats: PartyStats }) {
  const text = useText();
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-3">
        <Total
          label={text('party:total')}
          energy={stats.total}
          note={text('party:charges', { count: stats.charges })}
        />
        <Total
          label={text('party:byMembers')}
          energy={stats.party}
          note={text('party:ofTotal', { percent: percentText(stats.party_percentage) })}
        />
        <Total
          label={text('party:free')}
          energy={stats.free}
          note={text('party:ofTotal', { percent: percentText(stats.free_percentage) })}
        />
      </div>
      <PerDay stats={stats} />
      <Stations stats={stats} />
    </>
  );
}

function Total({ label, energy, note }: { label: string; energy: WattHours; note: string }) {
  const text = useText();
  const language = useLanguage();
  return (
    <Card>
      <p className="text-note text-ink-2">{label}</p>
      <p className="text-h1">
        <span className="tabular">{formatKwh(energy, 1, language)}</span>{' '}
        <span className="text-body text-ink-2">{text('generic:kwh')}</span>
      </p>
      <p className="text-small text-ink-2">{note}</p>
    </Card>
  );
}

function PerDay({ stats }: { stats: PartyStats }) {
  const text = useText();
  const language = useLanguage();
  const today = new Intl.DateTimeFormat('en-CA').format(new Date());
  const bars = stats.by_day.map(({ date, energy }) => ({
    label: `${Number(date.slice(8))}.${date.slice(5, 7)}`,
    name: formatInstant(`${date}T12:00:00Z`, { day: 'numeric', month: 'long', year: 'numeric' }, language),
    value: energy / 1000,
    isPresent: date === today,
  }));
  if (bars.length === 0) return null;
  return (
    <Card>
      <div className="flex flex-wrap justify-between gap-x-3">
        <h2 className="text-label">{text('party:perDay')}</h2>
        <span className="text-small text-ink-2">{text('party:zone', { zone: viewerZone() })}</span>
      </div>
      <BarChart
        caption={text('party:perDay')}
        bars={bars}
        formatValue={(kwh) => formatNumber(kwh, { least: 0, most: kwh < 100 ? 1 : 0 }, language)}
        formatMark={(kwh) => formatNumber(kwh, { least: 0, most: 1 }, language)}
      />
    </Card>
  );
}

/** Cards on a phone, one table where there is room; the same element, so that readers hear it once. */
function Stations({ stats }: { stats: PartyStats }) {
  const text = useText();
  const language = useLanguage();
  const most = Math.max(1, ...stats.by_station.map(({ total }) => total));
  return (
    <ul
      aria-label={text('party:stations')}
      className="divide-y divide-line overflow-hidden rounded-card bg-surface shadow-card"
    >
      {stats.by_station.map((station) => (
        <li key={station.number} className="flex flex-col gap-2 px-4 py-3">
          <div className="flex items-start justify-between gap-3">
            <div className="min-w-0">
              <p className="text-body font-[650]">{station.number}</p>
              <p className="text-small text-ink-2">{presentText(addressFor(station, language))}</p>
            </div>
            <div className="shrink-0 text-right">
              <p className="tabular text-body font-bold">{formatKwh(station.total, 1, language)}</p>
              <p className="text-small text-ink-2">{percentText(station.total_percentage)}</p>
            </div>
          </div>
          <div aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-surface-2">
            <div className="h-full rounded-full bg-free-fill" style={{ width: `${(station.total / most) * 100}%` }} />
          </div>
          <p className="flex flex-wrap gap-x-4 text-small text-ink-2">
            <span>
              {text('party:byMembers')}: {percentText(station.party_percentage)}
            </span>
            <span>
              {text('party:free')}: {percentText(station.free_percentage)}
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}
