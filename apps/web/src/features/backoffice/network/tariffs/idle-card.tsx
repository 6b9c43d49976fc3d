import { useText } from '../../../../i18n/use-text.ts';
import { Field } from '../../../../ui/form/field.tsx';
import { Switch } from '../../../../ui/form/switch.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import type { TypedIdle } from './form.ts';

interface IdleCardProps {
  idle: TypedIdle;
  errors: { fee: string | undefined; grace: string | undefined };
  isLocked: boolean;
  onChange: (idle: TypedIdle) => void;
}

/** What a minute costs after the grace time, for a car that stays plugged in. */
export function IdleCard({ idle, errors, isLocked, onChange }: IdleCardProps) {
  const text = useText();
  return (
    <Card className="flex flex-col gap-3">
      <Switch
        label={text('networkTariffs:idle')}
        checked={idle.isOn}
        disabled={isLocked}
        onChange={(isOn) => onChange({ ...idle, isOn })}
      />
      {idle.isOn && (
        <fieldset disabled={isLocked} className="flex min-w-0 flex-col gap-3">
          <legend className="sr-only">{text('networkTariffs:idle')}</legend>
          <div className="grid items-start gap-3 sm:grid-cols-2">
            <Field
              label={text('networkTariffs:idleFee')}
              inputMode="decimal"
              value={idle.fee}
              error={errors.fee}
              onChange={({ target }) => onChange({ ...idle, fee: target.value })}
            />
            <Field
              label={text('networkTariffs:idleGrace')}
              inputMode="numeric"
              value={idle.graceMinutes}
              error={errors.grace}
              onChange={({ target }) => onChange({ ...idle, graceMinutes: target.value })}
            />
          </div>
          <p className="text-note text-ink-2">{text('networkTariffs:idleHint')}</p>
        </fieldset>
      )}
    </Card>
  );
}
