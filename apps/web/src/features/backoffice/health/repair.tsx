import type { OperationAction } from '@fpay/contract/admin/operation-actions';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { ActionPopup } from '../operation/action-popup.tsx';
import { actionViews } from '../operation/action-views.ts';
import { operationViewQueries } from '../operation/queries.ts';
import { useMay } from '../parts/use-may.ts';

interface RepairProps {
  operation: number;
  action: OperationAction;
  onDone: () => void;
  className?: string;
}

/** The action that usually repairs a finding. Its popup shows the effect on this operation first. */
export function Repair({ operation: id, action, onDone, className = 'ml-auto' }: RepairProps) {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const { data: operation, isFetching } = useQuery({ ...operationViewQueries.operation(id), enabled: isOpen });
  const mayRepair = useMay(actionViews[action].needs);
  if (!mayRepair) return null;
  return (
    <>
      <Button size="s" className={className} busy={isOpen && isFetching && !operation} onPress={() => setOpen(true)}>
        {text(actionViews[action].label)}
      </Button>
      {isOpen && operation && (
        <ActionPopup operation={operation} action={action} onClose={() => setOpen(false)} onDone={onDone} />
      )}
    </>
  );
}
