import { type networkTariff, type TariffChange, withdrawTariffChange } from '@fpay/contract/admin/network/tariffs';
import type { ReplyOf } from '@fpay/contract/endpoint';
import { call } from '../../../../api/call.ts';
import { useAction } from '../../../../data/action.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { DateTime } from '../../../../ui/format/date-time.tsx';
import { formatMoney } from '../../../../ui/format/money.tsx';
import { Badge } from '../../../../ui/layout/badge.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { confirm } from '../../../../ui/overlay/popups.ts';

interface TariffHistoryProps {
  tariff: ReplyOf<typeof networkTariff>;
  mayManage: boolean;
  onChanged: () => void;
}

const badges = {
  waiting: { tone: 'occupied', text: 'network:waitsForApproval' },
  planned: { tone: 'charging', text: 'networkTariffs:planned' },
  applied: { tone: 'free', text: 'networkTariffs:applied' },
  withdrawn: { tone: 'offline', text: 'networkTariffs:withdrawn' },
} as const;

/** Every price that the tariff has had, and those that are planned. */
export function TariffHistory({ tariff, mayManage, onChanged }: TariffHistoryProps) {
  const text = useText();
  const withdrawing = useAction((id: number) => call(withdrawTariffChange, { params: { id: String(id) } }), {
    onSuccess: onChanged,
  });
  async function withdraw(id: number) {
    const question = { title: text('networkTariffs:withdrawTitle'), effect: text('networkTariffs:withdrawEffect') };
    if (await confirm(question)) withdrawing.mutate(id);
  }
  return (
    <Card className="flex flex-col gap-2">
      <h2 className="text-card">{text('networkTariffs:history')}</h2>
      {tariff.changes.length === 0 && <p className="text-note text-ink-2">{text('networkTariffs:noHistory')}</p>}
      <ul>
        {tariff.changes.map((change) => (
          <li
            key={change.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 text-note last:border-0"
          >
            <DateTime instant={change.starts_at} />
            <span className="font-bold">{pricesOf(change)}</span>
            {change.idle && (
              <span className="text-ink-2">
                {text('networkTariffs:idleShort', {
                  fee: formatMoney(change.idle.fee),
                  minutes: change.idle.grace_minutes,
                })}
              </span>
            )}
            <Badge tone={badges[change.status].tone}>{text(badges[change.status].text)}</Badge>
            <span className="ml-auto text-small text-ink-2">{change.staff}</span>
            {mayManage && (change.status === 'planned' || change.status === 'waiting') && (
              <Button size="s" kind="secondary" onPress={() => void withdraw(change.id)}>
                {text('networkTariffs:withdraw')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** One price, or the lowest and the highest. */
function pricesOf({ price, hours, discount }: TariffChange): string {
  const all = [price, ...(hours ?? []).map((row) => row.price)].toSorted((a, b) => a - b);
  const [least = price, most = price] = [all[0], all.at(-1)];
  const range = least === most ? formatMoney(least) : `${formatMoney(least)} – ${formatMoney(most)}`;
  return discount ? `${range}, −${discount.percent} %` : range;
}
