import { useText } from '../../../../i18n/use-text.ts';
import { Field } from '../../../../ui/form/field.tsx';
import { Switch } from '../../../../ui/form/switch.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { MomentField } from '../../parts/moment-field.tsx';
import type { TypedDiscount } from './form.ts';

interface DiscountCardProps {
  discount: TypedDiscount;
  error: string | undefined;
  isLocked: boolean;
  onChange: (discount: TypedDiscount) => void;
}

/** Days on which the price is lower; drivers see the usual one struck out. */
export function DiscountCard({ discount, error, isLocked, onChange }: DiscountCardProps) {
  const text = useText();
  const set = (name: 'percent' | 'text') => ({
    value: discount[name],
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...discount, [name]: target.value }),
  });
  const day = (name: 'from' | 'to') => ({
    unit: 'day' as const,
    value: discount[name],
    onChange: (typed: string) => onChange({ ...discount, [name]: typed }),
  });
  return (
    <Card className="flex flex-col gap-3">
      <Switch
        label={text('networkTariffs:discount')}
        checked={discount.isOn}
        disabled={isLocked}
        onChange={(isOn) => onChange({ ...discount, isOn })}
      />
      {discount.isOn && (
        <fieldset disabled={isLocked} className="flex min-w-0 flex-col gap-3">
          <legend className="sr-only">{text('networkTariffs:discount')}</legend>
          <div className="grid items-start gap-3 sm:grid-cols-2">
            <Field label={text('networkTariffs:percent')} inputMode="numeric" error={error} {...set('percent')} />
            <Field
              label={text('networkTariffs:discountText')}
              hint={text('networkTariffs:discountTextHint')}
              maxLength={40}
              {...set('text')}
            />
            <MomentField label={text('network:firstDay')} {...day('from')} />
            <MomentField label={text('network:lastDay')} {...day('to')} />
          </div>
          {discount.percent.trim() === '100' && (
            <p role="status" className="rounded-control bg-occupied-tint p-3 text-note text-occupied">
              {text('networkTariffs:discountIsFree')}
            </p>
          )}
          <Switch
            label={text('networkTariffs:yearly')}
            checked={discount.isYearly}
            disabled={isLocked}
            onChange={(isYearly) => onChange({ ...discount, isYearly })}
          />
        </fieldset>
      )}
    </Card>
  );
}
