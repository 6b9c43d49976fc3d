import { topUpLimits } from '@fpay/contract/wallet';
import PlugZap from 'lucide-react/icons/plug-zap';
import { useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { useText } from '../../i18n/use-text.ts';
import { Field } from '../../ui/form/field.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { formatMoney } from '../../ui/format/money.tsx';
import { formatNumber } from '../../ui/format/number-format.ts';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { topUpAmount, topUpPresets } from './amounts.ts';
import { useBuy } from './buy.ts';

interface TopUpSheetProps {
  open: boolean;
  onClose: () => void;
  /** The station's page where the driver came from; null for none. */
  cameFrom: string | null;
}

/** The amount, then the bank's page. */
export function TopUpSheet({ open, onClose, cameFrom }: TopUpSheetProps) {
  const text = useText();
  const [typed, setTyped] = useState(String(topUpPresets[0]));
  const { buy, isPending, error } = useBuy(cameFrom);
  const amount = topUpAmount(typed);
  const limits = {
    least: formatNumber(topUpLimits.least / 100, { least: 0, most: 0 }),
    most: formatNumber(topUpLimits.most / 100, { least: 0, most: 0 }),
  };
  return (
    <Sheet open={open} onClose={onClose} title={text('balance:topUpTitle')}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (amount !== null && !isPending) buy(amount);
        }}
      >
        <fieldset className="flex gap-2" disabled={isPending}>
          <legend className="sr-only">{text('balance:presets')}</legend>
          {topUpPresets.map((preset) => (
            <button
              key={preset}
              type="button"
              aria-pressed={typed === String(preset)}
              onClick={() => setTyped(String(preset))}
              className="tabular min-h-12 min-w-0 flex-1 rounded-control bg-surface text-body font-bold shadow-card aria-pressed:bg-ink aria-pressed:text-surface aria-pressed:shadow-none"
            >
              {preset}
            </button>
          ))}
        </fieldset>
        <Field
          label={text('balance:amount')}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          inputMode="decimal"
          enterKeyHint="go"
          autoComplete="off"
          maxLength={8}
          readOnly={isPending}
          trailing={<span className="text-body text-ink-2">₴</span>}
          hint={text('balance:limits', limits)}
          error={amount === null ? `${text('generic:invalidAmount')}. ${text('balance:limits', limits)}` : undefined}
        />
        <p className="flex items-start gap-3 rounded-control bg-occupied-tint p-3.5 text-note">
          <PlugZap aria-hidden="true" size={20} className="mt-px shrink-0 text-occupied" />
          {text('balance:unplugFirst')}
        </p>
        <p role="status" className="text-note text-error empty:hidden">
          {error && text(errorText(error))}
        </p>
        <MainButton
          type="submit"
          busy={isPending}
          disabled={amount === null}
          disabledLabel={text('balance:enterAmount')}
        >
          {amount !== null && text('balance:pay', { sum: formatMoney(amount) })}
        </MainButton>
      </form>
    </Sheet>
  );
}
