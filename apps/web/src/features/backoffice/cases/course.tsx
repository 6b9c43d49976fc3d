import type { AdminCase } from '@fpay/contract/admin/cases';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { formatMoney } from '../../../ui/format/money.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { eventText } from './case-text.ts';

/** What has happened in the case, with the refunds of its charge. */
export function Course({ found }: { found: AdminCase }) {
  const text = useText();
  const language = useLanguage();
  const steps = [
    ...found.entries.flatMap((entry) => {
      if (entry.kind === 'note') return [];
      const said = {
        event: () => eventText(entry, text),
        from_driver: () => text('adminCases:eventDriver'),
        to_driver: () => [text('adminCases:eventAnswer'), entry.staff?.name].filter(Boolean).join(' · '),
      }[entry.kind]();
      return [{ key: `entry-${entry.id}`, at: entry.created_at, said }];
    }),
    ...found.refunds.map(({ amount, created_at }, index) => ({
      key: `refund-${index}`,
      at: created_at,
      said: text('adminCases:eventRefund', { sum: formatMoney(amount, {}, language) }),
    })),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return (
    <Card className="flex flex-col gap-2">
      <h2 className="text-label">{text('adminCases:course')}</h2>
      <ol className="flex flex-col gap-1.5">
        {steps.map(({ key, at, said }) => (
          <li key={key} className="flex items-baseline gap-2 text-small">
            <span className="min-w-0 flex-1 font-bold">{said}</span>
            <span className="text-ink-2">
              <DateTime instant={at} />
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
