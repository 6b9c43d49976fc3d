import type { PartyMember } from '@fpay/contract/party';
import { type Period, periods } from '@fpay/contract/period';
import CalendarDays from 'lucide-react/icons/calendar-days';
import Users from 'lucide-react/icons/users';
import { useState } from 'react';
import type { TextKey } from '../../i18n/text-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { Field } from '../../ui/form/field.tsx';
import { Select } from '../../ui/form/select.tsx';
import { type FiguresFilter, isAskable } from './queries.ts';

const periodTexts = {
  today: 'party:today',
  yesterday: 'party:yesterday',
  '24h': 'party:last24h',
  '7d': 'party:last7d',
  '14d': 'party:last14d',
  week: 'party:thisWeek',
  lastWeek: 'party:lastWeek',
  month: 'party:thisMonth',
  lastMonth: 'party:lastMonth',
  year: 'party:thisYear',
  lastYear: 'party:lastYear',
} as const satisfies Record<Period, TextKey>;

/** Seconds between the times that the browser's picker offers. */
const pickerStep = 300;

/** `2026-11-15T14:35` in the viewer's own time, to five minutes. */
function localMinute(instant: Date): string {
  const rounded = new Date(Math.floor(instant.getTime() / (pickerStep * 1000)) * pickerStep * 1000);
  return new Date(rounded.getTime() - rounded.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function useFiguresFilter(withAverage: boolean) {
  const [filter, setFilter] = useState<FiguresFilter>(() => {
    const now = new Date();
    const weekAgo = new Date(now.getTime() - 7 * 86_400_000);
    return { user: 'all', period: withAverage ? '14d' : '7d', from: localMinute(weekAgo), to: localMinute(now) };
  });
  return { filter, setFilter };
}

interface FiguresFilterBarProps {
  members: readonly PartyMember[];
  filter: FiguresFilter;
  onChange: (filter: FiguresFilter) => void;
  withAverage: boolean;
  /** False where the user is chosen beside the figures. */
  withUser?: boolean;
}

/** Whose figures and of when; the same for statistics and operations. */
export function FiguresFilterBar({ members, filter, onChange, withAverage, withUser = true }: FiguresFilterBarProps) {
  const text = useText();
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        {withUser && (
          <Select
            label={text('party:user')}
            icon={<Users size={20} />}
            value={filter.user}
            onChange={(user) => onChange({ ...filter, user })}
            options={[
              { value: 'all', label: text('party:allMembers') },
              ...(withAverage ? [{ value: 'avg', label: text('party:average') }] : []),
              ...members.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
          />
        )}
        <Select<FiguresFilter['period']>
          label={text('party:period')}
          icon={<CalendarDays size={20} />}
          value={filter.period}
          onChange={(period) => onChange({ ...filter, period })}
          options={[
            ...periods.map((value) => ({ value, label: text(periodTexts[value]) })),
            { value: 'manual', label: text('party:manual') },
          ]}
        />
      </div>
      {filter.period === 'manual' && (
        <div className="grid gap-3 sm:grid-cols-2">
          <Field
            type="datetime-local"
            step={pickerStep}
            label={text('party:from')}
            value={filter.from}
            max={filter.to}
            onChange={({ target }) => onChange({ ...filter, from: target.value })}
          />
          <Field
            type="datetime-local"
            step={pickerStep}
            label={text('party:to')}
            value={filter.to}
            min={filter.from}
            onChange={({ target }) => onChange({ ...filter, to: target.value })}
            error={isAskable(filter) ? undefined : text('party:rangeInvalid')}
          />
        </div>
      )}
    </div>
  );
}
