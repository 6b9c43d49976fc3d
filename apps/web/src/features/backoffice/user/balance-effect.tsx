import type { BalanceEffect } from '@fpay/contract/admin/balance';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { formatMoney } from '../../../ui/format/money.tsx';
import { refusalKey } from '../parts/refusal-key.ts';

interface BalanceEffectViewProps {
  effect: BalanceEffect;
  /** The user whose page is open; the wallets of others are shown with a name. */
  userId: number;
}

/** What an action on balances will do, as the server has tried it: each wallet before and after. */
export function BalanceEffectView({ effect, userId }: BalanceEffectViewProps) {
  const text = useText();
  const language = useLanguage();
  if (!effect.is_allowed)
    return (
      <p role="alert" className="rounded-control bg-error-tint p-3 text-note text-error">
        {text(refusalKey(effect.refusal))}
      </p>
    );
  const sum = formatMoney(effect.amount, {}, language);
  return (
    <section aria-label={text('admin:effect')} className="rounded-control bg-surface-2 p-3 text-note">
      {effect.wallets.map(({ user_id: user, name, from, to }) => {
        const change = { from: formatMoney(from, {}, language), to: formatMoney(to, {}, language) };
        return (
          <p key={user} className="font-bold">
            {user === userId
              ? text('adminUsers:balanceChange', change)
              : text('adminUsers:walletChange', { name, ...change })}
          </p>
        );
      })}
      {effect.is_partial && <p>{text('adminUsers:effectPartial', { sum })}</p>}
      {effect.to_card && <p>{text('adminUsers:effectToCard', { sum })}</p>}
      {effect.needs_approval && <p>{text('admin:effectNeedsApproval')}</p>}
      <p className="text-ink-2">{text('admin:effectAudited')}</p>
    </section>
  );
}
