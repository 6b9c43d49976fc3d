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
  'e-sma-01': { title: 'admin:sma01', why: 'admin:sma01Why' },
  'e-sma-02': { title: 'admin:sma02', why: 'admin:sma02Why' },
  'e-sma-03': { title: 'admin:sma03', why: 'admin:sma03Why' },
  'e-sma-04': { title: 'admin:sma04', why: 'admin:sma04Why' },
  'e-scv-01': { title: 'admin:scv01', why: 'admin:scv01Why' },
  'e-scv-02': { title: 'admin:scv02', why: 'admin:scv02Why' },
  'e-scv-03': { title: 'admin:scv03', why: 'admin:scv03Why' },
  'e-scv-04': { title: 'admin:scv04', why: 'admin:scv04Why' },
  'e-scv-05': { title: 'admin:scv05', why: 'admin:scv05Why' },
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
          {items.length === 0 ? text('admin:nothingFound') : items.length}
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
