import { type AdminOperation, adminOperation } from '@fpay/contract/admin/operations';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Ref, useRef, useState } from 'react';
import { call } from '../../../api/call.ts';
import { useText } from '../../../i18n/use-text.ts';
import { type LoaderFunctionArgs, redirect, useLoaderData, useNavigate } from '../../../router/index.ts';
import { RefreshButton } from '../../../ui/form/refresh-button.tsx';
import { Segmented } from '../../../ui/form/segmented.tsx';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { paymentNames } from '../operations/payment-icon.tsx';
import { LogView } from '../parts/log-view.tsx';
import { NewCaseButton } from '../parts/new-case-button.tsx';
import { SupportNotes } from '../parts/notes.tsx';
import { ShortHold, ShortStatus } from '../parts/short-status.tsx';
import { useKeys } from '../parts/use-keys.ts';
import { StaffPage } from '../shell/staff-page.tsx';
import { StaffActions } from './actions.tsx';
import { Curve } from './curve.tsx';
import { OperationData } from './operation-data.tsx';
import { OperationFigures } from './operation-figures.tsx';
import { operationKey, operationViewQueries, useOperationMessages } from './queries.ts';
import { sourceNames } from './source-names.ts';
import { OperationTimeline } from './timeline.tsx';

/** An operation that cannot be loaded has no page. */
export function loader({ params }: LoaderFunctionArgs): Promise<AdminOperation> {
  return call(adminOperation, { params: { id: params.operation ?? '' } }).catch(() => {
    throw redirect('/admin/operations');
  });
}

/** All that a support call needs: the state, the money, the log, and the actions that are possible now. */
export function Page() {
  const loaded = useLoaderData<AdminOperation>();
  return <OperationView key={loaded.operation_id} loaded={loaded} />;
}

function OperationView({ loaded }: { loaded: AdminOperation }) {
  const text = useText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const id = loaded.operation_id;
  const { data: operation, dataUpdatedAt } = useQuery({
    ...operationViewQueries.operation(id),
    initialData: loaded,
  });
  const search = useRef<HTMLInputElement>(null);
  const note = useRef<HTMLInputElement>(null);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: operationKey(id) });
  useOperationMessages(id);
  useKeys({
    KeyR: refresh,
    KeyU: () => void navigate(`/admin/users/${operation.user_id}`),
    KeyN: () => note.current?.focus(),
    Slash: () => search.current?.focus(),
  });

  return (
    <StaffPage
      title={text('admin:operationTitle', { id })}
      subtitle={
        <>
          <DateTime instant={operation.created_at} /> · {text(sourceNames[operation.source])} ·{' '}
          {text(paymentNames[operation.payment_type])}
        </>
      }
      back="/admin/operations"
      badges={
        <>
          <ShortStatus status={operation.status} /> <ShortHold hold={operation.hold_status} />
        </>
      }
      actions={<RefreshButton onRefresh={refresh} fetchedAt={dataUpdatedAt} />}
    >
      <OperationFigures operation={operation} />
      <div className="grid grid-cols-1 items-start gap-3 lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[17rem_minmax(0,1fr)_20rem]">
        <div className="lg:col-span-2 xl:col-span-1">
          <OperationTimeline id={id} />
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          <Curve id={id} />
          <LogOrData operation={operation} search={search} />
          <SupportNotes subject="operation" id={id} field={note} />
          <NewCaseButton about={{ operation: id }} />
        </div>
        <StaffActions operation={operation} onDone={refresh} />
      </div>
    </StaffPage>
  );
}

interface LogOrDataProps {
  operation: AdminOperation;
  search: Ref<HTMLInputElement>;
}

/** What happened, or all that is stored. */
function LogOrData({ operation, search }: LogOrDataProps) {
  const text = useText();
  const [block, setBlock] = useState<'log' | 'data'>('log');
  const log = useQuery(operationViewQueries.log(operation.operation_id));
  return (
    <Card className="flex flex-col gap-3">
      <Segmented
        legend={text('adminOperations:logOrData')}
        value={block}
        onChange={setBlock}
        segments={[
          { value: 'log', label: text('admin:log') },
          { value: 'data', label: text('admin:data') },
        ]}
      />
      {block === 'log' ? <LogView log={log} search={search} /> : <OperationData operation={operation} />}
    </Card>
  );
}
