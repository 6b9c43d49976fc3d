import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { momentNow } from './calendar.ts';
import { ChoiceChips } from './choice-chips.tsx';
import { MomentField } from './moment-field.tsx';
import { type PeriodChoice, rangeFault, type StaffPeriod, staffPeriods } from './periods.ts';

const names = {
  today: 'generic:today',
  yesterday: 'generic:yesterday',
  week: 'admin:week',
  lastWeek: 'admin:lastWeek',
  month: 'admin:month',
  lastMonth: 'admin:lastMonth',
  year: 'admin:year',
  lastYear: 'admin:lastYear',
  manual: 'admin:fromTo',
} as const satisfies Record<StaffPeriod | 'manual', TextKey>;

interface PeriodChooserProps {
  choice: PeriodChoice;
  /** A period counts at once. */
  onPeriod: (period: PeriodChoice['period']) => void;
  /** A range of one's own counts with its button, because it is typed in parts. */
  onRange: (range: Pick<PeriodChoice, 'from' | 'to'>) => void;
  onGo: () => void;
}

/** One of eight periods, or a range of one's own. */
export function PeriodChooser({ choice, onPeriod, onRange, onGo }: PeriodChooserProps) {
  const text = useText();
  const fault = rangeFault(choice);
  const { from, to } = choice;
  return (
    <div className="flex flex-col gap-3">
      <ChoiceChips
        legend={text('admin:period')}
        wraps
        value={choice.period}
        onChange={onPeriod}
        choices={[...staffPeriods, 'manual' as const].map((value) => ({ value, label: text(names[value]) }))}
      />
      {choice.period === 'manual' && (
        <div className="grid items-start gap-3 sm:grid-cols-2">
          <MomentField
            label={text('admin:from')}
            value={from}
            max={momentNow()}
            onChange={(moment) => onRange({ from: moment, to })}
          />
          <MomentField
            label={text('admin:to')}
            value={to}
            max={momentNow()}
            error={fault && from !== '' && to !== '' ? text(fault) : undefined}
            onChange={(moment) => onRange({ from, to: moment })}
          />
          <Button className="sm:col-span-2" disabled={fault !== null} onPress={onGo}>
            {text('admin:forRange')}
          </Button>
        </div>
      )}
    </div>
  );
}
