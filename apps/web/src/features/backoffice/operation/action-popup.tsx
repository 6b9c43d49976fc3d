import type { Effect } from '@fpay/contract/admin/effect';
import type { OperationAction } from '@fpay/contract/admin/operation-actions';
import type { AdminOperation } from '@fpay/contract/admin/operations';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../../api/error-text.ts';
import { useAction } from '../../../data/action.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Skeleton } from '../../../ui/layout/skeleton.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { ReasonField } from '../parts/reasons/reason-field.tsx';
import { useSettled } from '../parts/use-settled.ts';
import type { ActionView } from './action-view.ts';
import { actionViews } from './action-views.ts';
import { EffectView } from './effect-view.tsx';
import { emptyForm } from './order.ts';
import { operationViewQueries } from './queries.ts';

/** While an amount is typed, each digit would be a request. */
const typingMs = 300;

interface ActionPopupProps {
  operation: AdminOperation;
  action: OperationAction;
  /** Another way to send it; by default that of the action. */
  view?: ActionView;
  onClose: () => void;
  onDone: () => void;
  /** The page shows the result, and the popup closes by itself. Without it the popup shows the result. */
  onResult?: (result: string) => void;
}

/** Asks for what the action needs, shows its exact effect, does it, and shows the result. */
export function ActionPopup({
  operation,
  action,
  view = actionViews[action],
  onClose,
  onDone,
  onResult,
}: ActionPopupProps) {
  const text = useText();
  const [form, setForm] = useState(emptyForm);
  const request = view.requestOf(form);
  const settled = useSettled(request, typingMs);
  const isSettled = JSON.stringify(settled) === JSON.stringify(request);
  const doing = useAction((confirmed: NonNullable<typeof request>) => view.perform(operation, confirmed, form), {
    onSuccess: (resultText) => {
      onDone();
      if (!onResult) return;
      onResult(resultText());
      onClose();
    },
    onError: () => {
      onClose();
      // The action may have happened although its answer was lost.
      onDone();
      return false;
    },
  });
  const preview = useQuery({
    ...operationViewQueries.preview(operation.operation_id, settled),
    // What is done has no preview any more.
    enabled: settled !== null && doing.isIdle,
  });
  const { label, Fields, reasons } = view;
  const hasReason = reasons === null || form.reason !== '';
  const isReady =
    hasReason && isSettled && request !== null && preview.data?.is_allowed === true && !preview.isFetching;

  return (
    <PopupFrame open onClose={onClose} title={text(label).replace(/…$/, '')} titleClassName="text-h2">
      {doing.data ? (
        <ActionResult result={doing.data()} onClose={onClose} />
      ) : (
        <>
          {Fields && <Fields form={form} onChange={setForm} />}
          {reasons && <ReasonField kind={reasons} onChange={(reason) => setForm((typed) => ({ ...typed, reason }))} />}
          {settled !== null && <Preview preview={preview} />}
          <div className="grid grid-cols-2 gap-2">
            <Button onPress={onClose}>{text('generic:no')}</Button>
            <Button
              kind="danger"
              disabled={!isReady && !doing.isPending}
              busy={doing.isPending}
              onPress={() => request && doing.mutate(request)}
            >
              {text('admin:do')}
            </Button>
          </div>
        </>
      )}
    </PopupFrame>
  );
}

function ActionResult({ result, onClose }: { result: string; onClose: () => void }) {
  const text = useText();
  return (
    <>
      <p role="status" className="rounded-control bg-free-tint p-3 text-note text-free">
        {result}
      </p>
      <Button kind="main" onPress={onClose}>
        {text('generic:ok')}
      </Button>
    </>
  );
}

/** The exact effect, or why it cannot be said. */
function Preview({ preview: { data, error } }: { preview: { data: Effect | undefined; error: Error | null } }) {
  const text = useText();
  if (data) return <EffectView effect={data} />;
  if (!error) return <Skeleton className="h-24" />;
  return (
    <p role="alert" className="text-note text-error">
      {text(errorText(error))}
    </p>
  );
}
