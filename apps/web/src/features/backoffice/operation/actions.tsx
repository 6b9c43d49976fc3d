import type { OperationAction } from '@fpay/contract/admin/operation-actions';
import type { AdminOperation } from '@fpay/contract/admin/operations';
import ReceiptText from 'lucide-react/icons/receipt-text';
import { useId, useState } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { OwnMoneyNote, SharedCardNote, useOwnMoney } from '../parts/own-money.tsx';
import { useKeys } from '../parts/use-keys.ts';
import { usePermissions } from '../parts/use-may.ts';
import { ActionPopup } from './action-popup.tsx';
import { actionGroups, actionViews } from './action-views.ts';
import { AskRefundButton } from './ask-refund-button.tsx';
import { PaymentPopup } from './payment-popup.tsx';

interface ActionsProps {
  operation: AdminOperation;
  onDone: () => void;
}

const look =
  'flex min-h-11 items-center gap-2 rounded-control px-3 py-1.5 text-left text-note font-bold disabled:bg-transparent disabled:font-normal disabled:text-ink-3 disabled:shadow-card lg:min-h-9';

/** The actions of the user's role; those that make no sense in this state are grey. */
export function StaffActions({ operation, onDone }: ActionsProps) {
  const text = useText();
  const permissions = usePermissions();
  const [chosen, setChosen] = useState<OperationAction | 'payment' | null>(null);
  const isPossible = (action: OperationAction) => operation.actions.includes(action);
  const mayTake = (action: OperationAction) => permissions.includes(actionViews[action].needs);
  const groups = actionGroups
    .map(({ title, actions }) => ({ title, actions: actions.filter(mayTake) }))
    .filter(({ actions }) => actions.length > 0);
  useKeys({ KeyS: () => isPossible('soft_stop') && mayTake('soft_stop') && setChosen('soft_stop') });
  const close = () => setChosen(null);
  const reason = useOwnMoney(operation.own_money);
  const reasonId = useId();
  const hasMoney = groups.some(({ actions }) => actions.some((action) => actionViews[action].isAboutMoney));
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between gap-2">
        <h2 className="text-label">{text('adminOperations:actions')}</h2>
        {groups.length > 0 && <p className="text-small text-ink-2">{text('adminOperations:greyActions')}</p>}
      </div>
      <SharedCardNote answer={operation.own_money} />
      {reason !== null && hasMoney && <OwnMoneyNote id={reasonId} reason={reason} />}
      {groups.map(({ title, actions }) => (
        <section key={title} aria-label={text(title)}>
          <h3 className="mb-1 text-small text-ink-2">{text(title)}</h3>
          <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,7.5rem),1fr))] gap-2">
            {actions.map((action) => (
              <ActionButton
                key={action}
                action={action}
                isPossible={isPossible(action)}
                ownMoney={actionViews[action].isAboutMoney && reason !== null ? { reason, id: reasonId } : null}
                onPress={() => setChosen(action)}
              />
            ))}
          </div>
        </section>
      ))}
      <AskRefundButton operation={operation} onDone={onDone} />
      {operation.payment_id !== null && (
        <button type="button" className={classNames(look, 'bg-surface-2')} onClick={() => setChosen('payment')}>
          <ReceiptText aria-hidden="true" size={16} />
          {text('adminOperations:paymentInfo')}
        </button>
      )}
      {chosen === 'payment' && operation.payment_id !== null && (
        <PaymentPopup id={operation.payment_id} onClose={close} />
      )}
      {chosen !== null && chosen !== 'payment' && (
        <ActionPopup operation={operation} action={chosen} onClose={close} onDone={onDone} />
      )}
    </Card>
  );
}

interface ActionButtonProps {
  action: OperationAction;
  isPossible: boolean;
  /** Why staff may not act on this money, and the id of the note that says so; null when they may. */
  ownMoney: { reason: string; id: string } | null;
  onPress: () => void;
}

function ActionButton({ action, isPossible, ownMoney, onPress }: ActionButtonProps) {
  const text = useText();
  const { Icon, label, isForced } = actionViews[action];
  return (
    <button
      type="button"
      disabled={!isPossible || ownMoney !== null}
      title={ownMoney?.reason}
      aria-describedby={ownMoney?.id}
      className={classNames(look, isForced ? 'bg-error-tint text-error' : 'bg-surface-2')}
      onClick={onPress}
    >
      <Icon aria-hidden="true" size={16} className="shrink-0" />
      {text(label)}
    </button>
  );
}
