import { repairOf } from '@fpay/contract/admin/watch';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Link } from '../../../router/index.ts';
import { healthKey } from './queries.ts';
import { Repair } from './repair.tsx';

type Code = keyof typeof repairOf;

const rules = {
  'e-sma-01': { title: 'adminHealth:sma01', why: 'adminHealth:sma01Why' },
  'e-sma-02': { title: 'adminHealth:sma02', why: 'adminHealth:sma02Why' },
  'e-sma-03': { title: 'adminHealth:sma03', why: 'adminHealth:sma03Why' },
  'e-sma-04': { title: 'adminHealth:sma04', why: 'adminHealth:sma04Why' },
  'e-scv-01': { title: 'adminHealth:scv01', why: 'adminHealth:scv01Why' },
  'e-scv-02': { title: 'adminHealth:scv02', why: 'adminHealth:scv02Why' },
  'e-scv-03': { title: 'adminHealth:scv03', why: 'adminHealth:scv03Why' },
  'e-scv-04': { title: 'adminHealth:scv04', why: 'adminHealth:scv04Why' },
  'e-scv-05': { title: 'adminHealth:scv05', why: 'adminHealth:scv05Why' },
} as const satisfies Record<Code, { title: TextKey; why: TextKey }>;

interface RuleCardProps<Item extends { operation_id: number }> {
  code: Code;
  items: readonly Item[];
  children: (item: Item) => ReactNode;
}

/** What one rule found, why it matters, and the usual repair. A rule without findings stays visible as one line. */
export function RuleCard<Item extends { operation_id: number }>({ code, items, children }: RuleCardProps<Item>) {
  const text = useText();
  const queryClient = useQueryClient();
  const { title, why } = rules[code];
  return (
    <section aria-label={code} className="rounded-card bg-surface shadow-card">
      <div className="flex flex-wrap items-center gap-2 px-4 py-3">
        <span className="rounded-badge bg-surface-2 px-2 py-0.5 text-small font-bold">{code}</span>
        {/* Between the code and the count a phone has no room for it. */}
        <h2 className="order-last w-full min-w-0 text-label sm:order-none sm:w-auto sm:flex-1">{text(title)}</h2>
        <span className="ml-auto text-note text-ink-2">
          {items.length === 0 ? text('adminHealth:nothingFound') : items.length}
        </span>
        {items.length > 0 && <p className="order-last w-full text-small text-ink-2">{text(why)}</p>}
      </div>
      {items.length > 0 && (
        <ul>
          {items.map((item) => (
            <li
              key={item.operation_id}
              className="flex min-h-12 flex-wrap items-center gap-2 border-t border-line px-4 py-1.5 text-note"
            >
              <Link to={`/admin/operations/${item.operation_id}`} className="tabular font-bold text-accent-text">
                {item.operation_id}
              </Link>
              {children(item)}
              <Repair
                operation={item.operation_id}
                action={repairOf[code]}
                onDone={() => void queryClient.invalidateQueries({ queryKey: healthKey })}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
