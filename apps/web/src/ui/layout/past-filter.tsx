import { HistoryRange } from '@fpay/contract/history';
import Car from 'lucide-react/icons/car';
import { useText } from '../../i18n/use-text.ts';
import { useSearchParams } from '../../router/index.ts';
import { Select } from '../form/select.tsx';
import { PeriodSwitch } from './period-switch.tsx';

interface Past {
  range: HistoryRange;
  /** Null means any car. */
  car: number | null;
}

interface Driven {
  id: number;
  name: string;
}

/** The chosen car and period. They are stored in the address, so that going back from an operation restores them. */
export function usePast(cars: readonly Driven[]): { past: Past; look: (past: Past) => void } {
  const [search, setSearch] = useSearchParams();
  const range = HistoryRange.safeParse(search.get('range'));
  const car = cars.find(({ id }) => String(id) === search.get('car'));
  return {
    past: { range: range.success ? range.data : 'week', car: car?.id ?? null },
    look: (past) =>
      setSearch(
        { range: past.range, ...(past.car !== null && { car: String(past.car) }) },
        { replace: true, preventScrollReset: true },
      ),
  };
}

interface PastFilterProps {
  cars: readonly Driven[];
  past: Past;
  onChange: (past: Past) => void;
}

/** The filter by car and period, for the list and for the chart. */
export function PastFilter({ cars, past, onChange: onLook }: PastFilterProps) {
  const text = useText();
  return (
    <div className="flex flex-col gap-3">
      <Select
        label={text('history:car')}
        icon={<Car size={20} />}
        value={past.car === null ? '' : String(past.car)}
        onChange={(id) => onLook({ ...past, car: id === '' ? null : Number(id) })}
        options={[
          { value: '', label: text('history:anyCar') },
          ...cars.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <PeriodSwitch value={past.range} onChange={(range) => onLook({ ...past, range })} />
    </div>
  );
}
