import type { OperationAction } from '@fpay/contract/admin/operation-actions';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useText } from '../../../../i18n/use-text.ts';
import { classNames } from '../../../../ui/hooks/class-names.ts';
import { ActionPopup } from '../../operation/action-popup.tsx';
import { actionViews } from '../../operation/action-views.ts';
import { AskRefundButton } from '../../operation/ask-refund-button.tsx';
import { operationViewQueries } from '../../operation/queries.ts';
import { OwnMoneyNote, useOwnMoney } from '../../parts/own-money.tsx';
import { usePermissions } from '../../parts/use-may.ts';

/** What a caller asks for most. The page of the operation has all actions. */
const quickActions: readonly OperationAction[] = ['soft_stop', 'soft_cancel', 'cancel_payment', 'cancel_hold'];

interface ChargeActionsProps {
  charge: number;
  onDone: () => void;
}

/** The actions on the caller's charge that the role may take and that make sense now. The result stays on the page. */
export function ChargeActions({ charge, onDone }: ChargeActionsProps) {
  const permissions = usePermissions();
  const { data: operation } = useQuery({
    ...operationViewQueries.operation(charge),
    enabled: permissions.includes('monitor-operations'),
  });
  const [chosen, setChosen] = useState<OperationAction | null>(null);
  const [result, setResult] = useState<string | null>(null);
  const reason = useOwnMoney(operation?.own_money ?? 'free');
  const reasonId = useId();
  if (!operation) return null;
  const isLocked = (action: OperationAction) => actionViews[action].isAboutMoney && reason !== null;
  // Own money is left out of the possible actions, and is drawn grey with its reason.
  const shown = quickActions.filter(
    (action) =>
      permissions.includes(actionViews[action].needs) && (operation.actions.includes(action) || isLocked(action)),
  );
  return (
    <>
      {shown.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {shown.map((action) => {
            const lock = isLocked(action) && reason !== null ? { reason, id: reasonId } : null;
            return <QuickButton key={action} action={action} lock={lock} onPress={() => setChosen(action)} />;
          })}
        </div>
      )}
      <AskRefundButton operation={operation} onDone={onDone} onResult={setResult} />
      {reason !== null && shown.some(isLocked) && <OwnMoneyNote id={reasonId} reason={reason} />}
      <p role="status" className={result === null ? 'sr-only' : 'rounded-control bg-free-tint p-3 text-note text-free'}>
        {result}
      </p>
      {chosen !== null && (
        <ActionPopup
          operation={operation}
          action={chosen}
          onClose={() => setChosen(null)}
          onDone={onDone}
          onResult={setResult}
        />
      )}
    </>
  );
}

interface QuickButtonProps {
  action: OperationAction;
  /** Why staff may not act on this money, and the id of the note that says so. */
  lock: { reason: string; id: string } | null;
  onPress: () => void;
}

function QuickButton({ action, lock, onPress }: QuickButtonProps) {
  const text = useText();
  const { Icon, label, isForced } = actionViews[action];
  return (
    <button
      type="button"
      disabled={lock !== null}
      title={lock?.reason}
      aria-describedby={lock?.id}
      className={classNames(
        'flex min-h-11 items-center gap-2 rounded-control px-3 text-note font-bold disabled:bg-transparent disabled:text-ink-3 disabled:shadow-card lg:min-h-9',
        isForced ? 'bg-error-tint text-error' : 'bg-surface-2',
      )}
      onClick={onPress}
    >
      <Icon aria-hidden="true" size={16} className="shrink-0" />
      {text(label)}
    </button>
  );
}
