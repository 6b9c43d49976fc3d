import { TariffTerms } from '@fpay/contract/admin/network/tariffs';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { decimalOf } from '../../../../ui/form/decimal.ts';
import { Field } from '../../../../ui/form/field.tsx';
import { classNames } from '../../../../ui/hooks/class-names.ts';
import { ChoiceField } from '../../parts/choice-field.tsx';
import { contractRules, useFields } from '../../parts/use-form.ts';
import { dayNames } from './day-names.ts';
import { hourText, range, type Selection } from './week.ts';

const start = { price: '' };

function priceOf({ price }: typeof start): number {
  const value = decimalOf(price);
  return value === '' ? Number.NaN : Math.round(value * 100);
}
const rules = contractRules(TariffTerms.shape.price, priceOf, {
  price: { path: '', text: 'network:wrongPrice' },
});

interface HoursFormProps {
  selection: Selection;
  onSelect: (selection: Selection) => void;
  onPrice: (price: number) => void;
}

/** Days, hours and their price. It is a part of the tariff's form, so it has none of its own. */
export function HoursForm({ selection, onSelect, onPrice }: HoursFormProps) {
  const text = useText();
  const { field, save } = useFields({ start, rules, onValid: (typed) => onPrice(priceOf(typed)) });
  const { days, from, to } = selection;
  return (
    <div className="flex flex-col gap-3 rounded-control bg-surface-2 p-3">
      <DayChoice days={days} onDays={(chosen) => onSelect({ ...selection, days: chosen })} />
      <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-4">
        <HourChoice
          label={text('network:from')}
          hour={from}
          hours={range(0, 23)}
          onHour={(hour) => onSelect({ ...selection, from: hour, to: Math.max(to, hour + 1) })}
        />
        <HourChoice
          label={text('network:to')}
          hour={to}
          hours={range(from + 1, 24)}
          onHour={(hour) => onSelect({ ...selection, to: hour })}
        />
        <Field label={text('networkTariffs:blockPrice')} inputMode="decimal" {...field('price')} />
        <Button kind="secondary" className="mt-7" disabled={days.length === 0} onPress={() => save()}>
          {text('networkTariffs:setHours', { count: days.length * (to - from) })}
        </Button>
      </div>
    </div>
  );
}

interface DayChoiceProps {
  days: Selection['days'];
  onDays: (days: Selection['days']) => void;
}

function DayChoice({ days, onDays }: DayChoiceProps) {
  const text = useText();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-note font-bold">{text('networkTariffs:days')}</legend>
      <div className="flex flex-wrap gap-1.5">
        {dayNames.map((name, index) => {
          const day = index + 1;
          const isOn = days.includes(day);
          return (
            <label
              key={name}
              className={classNames(
                'flex size-11 cursor-pointer items-center justify-center rounded-control text-note font-bold has-focus-visible:outline-3 has-focus-visible:outline-focus',
                isOn ? 'bg-ink text-surface' : 'bg-surface text-ink',
              )}
            >
              <input
                type="checkbox"
                className="sr-only"
                checked={isOn}
                onChange={() => onDays(isOn ? days.filter((one) => one !== day) : [...days, day])}
              />
              {text(name)}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

interface HourChoiceProps {
  label: string;
  hour: number;
  hours: readonly number[];
  onHour: (hour: number) => void;
}

function HourChoice({ label, hour, hours, onHour }: HourChoiceProps) {
  return (
    <ChoiceField
      label={label}
      value={String(hour)}
      options={hours.map((one) => ({ value: String(one), label: `${hourText(one)}:00` }))}
      onChange={(chosen) => onHour(Number(chosen))}
    />
  );
}
