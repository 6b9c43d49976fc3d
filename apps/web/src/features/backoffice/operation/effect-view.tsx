import type { Effect } from '@fpay/contract/admin/effect';
import ArrowRight from 'lucide-react/icons/arrow-right';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { formatKwh } from '../../../ui/format/energy.tsx';
import { formatMoney } from '../../../ui/format/money.tsx';
import { refusalKey } from '../parts/refusal-key.ts';

const moneyTexts = {
  release: 'adminOperations:effectRelease',
  return: 'adminOperations:effectReturn',
  capture: 'adminOperations:effectCapture',
  refund: 'adminOperations:effectRefund',
  lost: 'adminOperations:effectLost',
  give: 'adminOperations:effectGive',
  take: 'adminOperations:effectTake',
} as const satisfies Record<Effect['money'][number]['kind'], TextKey>;

/** What an action will do, in words and sums. */
export function EffectView({ effect }: { effect: Effect }) {
  const text = useText();
  const language = useLanguage();
  if (!effect.is_allowed)
    return (
      <p role="alert" className="rounded-control bg-error-tint p-3 text-note text-error">
        {text(refusalKey(effect.refusal))}
      </p>
    );
  const { operation, payment, energy, total, money, command } = effect;
  const sums = money.map(({ kind, amount }) => text(moneyTexts[kind], { sum: formatMoney(amount, {}, language) }));
  return (
    <section aria-label={text('admin:effect')} className="rounded-control bg-surface-2 p-3 text-note">
      <h3 className="text-small font-bold text-ink-2">{text('admin:effect')}</h3>
      {operation && <Change label={text('adminOperations:operationStatus')} {...operation} />}
      {payment && <Change label={text('admin:payment')} {...payment} />}
      <ul className="mt-1 list-disc space-y-1 pl-5">
        {energy && (
          <li>
            {text('adminOperations:effectEnergy', {
              from: formatKwh(energy.from, 2, language),
              to: formatKwh(energy.to, 2, language),
            })}
          </li>
        )}
        {total && (
          <li>
            {text('adminOperations:effectTotal', {
              from: formatMoney(total.from, {}, language),
              to: formatMoney(total.to, {}, language),
            })}
          </li>
        )}
        {sums.map((sum) => (
          <li key={sum}>{sum}</li>
        ))}
        {sums.length === 0 && <li>{text('adminOperations:effectNoMoney')}</li>}
        <li>
          {command ? text('adminOperations:effectCommand', { command }) : text('adminOperations:effectNoCommand')}
        </li>
        {effect.needs_approval && <li>{text('admin:effectNeedsApproval')}</li>}
        <li>{text('admin:effectAudited')}</li>
      </ul>
    </section>
  );
}

function Change({ label, from, to }: { label: string; from: string; to: string }) {
  return (
    <p className="flex flex-wrap items-center gap-2 font-bold">
      <span className="font-normal text-ink-2">{label}:</span> {from}
      <ArrowRight aria-hidden="true" size={16} /> {to}
    </p>
  );
}
