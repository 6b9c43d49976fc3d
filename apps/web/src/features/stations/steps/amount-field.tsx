import type { Target } from '@fpay/contract/price';
import CircleAlert from 'lucide-react/icons/circle-alert';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import { type ReactNode, useId } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { Segmented } from '../../../ui/form/segmented.tsx';
import { formatNumber } from '../../../ui/format/number-format.ts';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { limitsOf, type PaymentMethod, presets, stepped, typedAmount } from './amount.ts';

interface AmountFieldProps {
  target: Target;
  onTarget: (target: Target) => void;
  typed: string;
  onTyped: (typed: string) => void;
  method: PaymentMethod;
  isInvalid: boolean;
}

/** The amount can be tapped, stepped or typed. */
export function AmountField({ target, onTarget, typed, onTyped, method, isInvalid }: AmountFieldProps) {
  const text = useText();
  const noteId = useId();
  const { least, most } = limitsOf(target, method);
  const unit = target === 'kwh' ? text('generic:kwh') : text('payment:uah');
  const whole = (hundredths: number) => formatNumber(hundredths / 100, { least: 0, most: 2 });
  return (
    <>
      <Segmented
        legend={text('payment:unit')}
        value={target}
        onChange={onTarget}
        segments={[
          { value: 'kwh', label: text('payment:inKwh') },
          { value: 'uah', label: text('payment:inUah') },
        ]}
      />
      <div className="flex items-center justify-between gap-3 pt-3">
        <StepButton label={text('payment:less')} onPress={() => onTyped(stepped(typed, target, method, -1))}>
          <Minus aria-hidden="true" size={22} />
        </StepButton>
        <label className="min-w-0 flex-1 text-center">
          <input
            value={typed}
            onChange={({ target: input }) => onTyped(typedAmount(input.value))}
            onFocus={({ target: input }) => input.select()}
            inputMode="decimal"
            enterKeyHint="go"
            autoComplete="off"
            maxLength={8}
            aria-label={text('station:stepAmount')}
            aria-invalid={isInvalid || undefined}
            aria-describedby={isInvalid ? noteId : undefined}
            className={classNames(
              'tabular w-full rounded-control bg-transparent text-center font-extrabold outline-offset-0! tracking-[-0.045em]',
              // The width limits large text, because a number cannot break.
              typed.length > 5 ? 'text-[min(2.5rem,12vw)]' : 'text-[min(4.25rem,21vw)]',
              'leading-[4.5rem]',
              isInvalid && 'text-error',
            )}
          />
          <span aria-hidden="true" className="mt-1 block text-body text-ink-2">
            {unit}
          </span>
        </label>
        <StepButton label={text('payment:more')} onPress={() => onTyped(stepped(typed, target, method, 1))}>
          <Plus aria-hidden="true" size={22} />
        </StepButton>
      </div>
      <p
        id={noteId}
        role="status"
        className="-my-1.5 flex min-h-5 items-center justify-center gap-2 text-note text-error"
      >
        {isInvalid && (
          <>
            <CircleAlert aria-hidden="true" size={16} className="shrink-0" />
            {text('generic:invalidAmount')}
            {'. '}
            {Number.isFinite(most)
              ? text('payment:limits', { least: whole(least), most: whole(most), unit })
              : text('payment:leastLimit', { least: whole(least), unit })}
          </>
        )}
      </p>
      <fieldset className="flex gap-2">
        <legend className="sr-only">{text('payment:presets')}</legend>
        {presets[target].map((preset) => (
          <button
            key={preset}
            type="button"
            aria-pressed={typed === String(preset)}
            onClick={() => onTyped(String(preset))}
            className="tabular min-h-12 min-w-0 flex-1 rounded-control bg-surface text-body font-bold shadow-card aria-pressed:bg-ink aria-pressed:text-surface aria-pressed:shadow-none"
          >
            {preset}
          </button>
        ))}
      </fieldset>
    </>
  );
}

function StepButton({ label, onPress, children }: { label: string; onPress: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onPress}
      className="grid size-14 shrink-0 place-items-center rounded-control bg-surface-2 active:bg-line"
    >
      {children}
    </button>
  );
}
