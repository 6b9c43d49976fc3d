import { type MoneyCase, resolveMoneyCase } from '@fpay/contract/admin/money';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../../api/call.ts';
import { useAction } from '../../../data/action.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Money } from '../../../ui/format/money.tsx';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Repair } from '../health/repair.tsx';
import { DataList } from '../parts/data-list.tsx';
import { caseView, kindViews } from './kinds.ts';
import { moneyKey } from './queries.ts';

/** One case: the facts, what to do, and the actions that usually settle it. */
export function CaseView({ item, onDone }: { item: MoneyCase; onDone: () => void }) {
  const text = useText();
  const queryClient = useQueryClient();
  const { title, actions } = caseView(item);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: moneyKey });
  const { operation_id: operation } = item;
  return (
    <div className="flex flex-col gap-3">
      <p className="flex items-center justify-between gap-2">
        <Badge tone={kindViews[item.kind].isWaiting ? 'error' : 'offline'}>
          <Money amount={item.amount} />
        </Badge>
        <span className="text-small text-ink-2">
          <DateTime instant={item.at} />
        </span>
      </p>
      <h2 className="text-card">{text(title)}</h2>
      {item.until && (
        <p className="text-note text-occupied">
          {text('adminMoney:until')} <DateTime instant={item.until} />
        </p>
      )}
      <DataList
        rows={[
          ...(item.code ? [['code', item.code] as const] : []),
          ...(item.payment_id ? [['payment_id', item.payment_id] as const] : []),
          ...Object.entries(item.details).map(([name, value]) => [name, shown(value)] as const),
        ]}
      />
      <section className="rounded-control bg-surface-2 p-3 text-note">
        <h3 className="mb-1 text-small text-ink-2">{text('adminMoney:whatToDo')}</h3>
        {text(kindViews[item.kind].advice)}
      </section>
      {operation !== null &&
        actions.map((action) => (
          <Repair key={action} operation={operation} action={action} onDone={refresh} className="w-full" />
        ))}
      <div className="grid grid-cols-2 gap-2 *:only:col-span-2">
        {operation !== null && (
          <Button size="s" to={`/admin/operations/${operation}`}>
            {text('admin:operation')}
          </Button>
        )}
        {item.user_id !== null && (
          <Button size="s" to={`/admin/users/${item.user_id}`}>
            {text('admin:user')}
          </Button>
        )}
      </div>
      {item.is_resolvable && <ResolveForm id={item.id} onDone={onDone} />}
    </div>
  );
}

/** A sentence about what was done is required, because the next one to look will not know it. */
function ResolveForm({ id, onDone }: { id: number; onDone: () => void }) {
  const text = useText();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const resolving = useAction(
    (comment: string) => call(resolveMoneyCase, { params: { id: String(id) }, body: { comment } }),
    {
      onSuccess: () => {
        onDone();
        void queryClient.invalidateQueries({ queryKey: moneyKey });
      },
    },
  );
  function resolve(event: FormEvent) {
    event.preventDefault();
    if (typed.trim() !== '' && !resolving.isPending) resolving.mutate(typed.trim());
  }
  return (
    <form onSubmit={resolve} className="flex flex-col gap-2 border-t border-line pt-3">
      <Field
        label={text('adminMoney:whatWasDone')}
        maxLength={1000}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" size="s" disabled={typed.trim() === ''} busy={resolving.isPending}>
        {text('adminMoney:markDone')}
      </Button>
    </form>
  );
}

function shown(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
}
