import type { Operation } from '@fpay/contract/charging';
import Download from 'lucide-react/icons/download';
import Headset from 'lucide-react/icons/headset';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import { useEffect, useState } from 'react';
import { useAction } from '../../data/action.ts';
import { useText } from '../../i18n/use-text.ts';
import { Link } from '../../router/index.ts';
import { Button } from '../../ui/form/button.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { Dock } from '../../ui/layout/dock.tsx';
import type { StopRequest } from './kept-stop.ts';
import { saveReceipt } from './receipt.ts';
import { canRetry, isFinished, isOperationOver, isShownCharging } from './status-view.ts';

const loadStopPopup = async () => (await import('./stop-popup.tsx')).StopPopup;
type StopPopupComponent = Awaited<ReturnType<typeof loadStopPopup>>;

interface ActionsProps {
  operation: Operation;
  request: StopRequest;
}

/** The possible actions, at the bottom within reach of the thumb; support is always one of them. */
export function Actions({ operation, request }: ActionsProps) {
  const text = useText();
  const { status, page_url } = operation;
  return (
    <Dock>
      {status === 'created' && page_url && (
        // In this tab, because the bank returns its client to this page.
        <a
          href={page_url}
          className="flex min-h-14 items-center justify-center rounded-control bg-accent px-5 text-center text-button text-on-accent uppercase active:bg-accent-press"
        >
          {text('status:backToPayment')}
        </a>
      )}
      {isFinished(status) && operation.fiscal_url && (
        <Button kind="text" size="s" href={operation.fiscal_url}>
          {text('status:fiscal')}
        </Button>
      )}
      <div className="flex gap-2">
        <SupportButton id={operation.id} />
        {operation.has_receipt && isFinished(status) && <ReceiptButton id={operation.id} />}
        {!operation.has_receipt && isFinished(status) && (
          <MainButton to="/map" className="flex-1">
            {text('generic:toMap')}
          </MainButton>
        )}
        {canRetry(status) && (
          <MainButton
            to={`/station/${operation.number}`}
            className="flex-1"
            icon={<RotateCcw aria-hidden="true" size={20} />}
          >
            {operation.status === 'failed_hold' ? text('status:otherCard') : text('status:retry')}
          </MainButton>
        )}
        {!isFinished(status) && !canRetry(status) && !operation.idle?.is_awaiting_unplug && (
          <StopButton operation={operation} request={request} />
        )}
        {operation.idle?.is_awaiting_unplug && (
          <MainButton to="/map" className="flex-1">
            {text('generic:toMap')}
          </MainButton>
        )}
      </div>
    </Dock>
  );
}

function StopButton({ operation, request }: ActionsProps) {
  const text = useText();
  const [isAsking, setAsking] = useState(false);
  const [StopPopup, setStopPopup] = useState<StopPopupComponent | null>(null);
  const { keptSince, isSending, stop, withdraw } = request;
  const fetchPopup = () =>
    void loadStopPopup().then(
      (loaded) => setStopPopup(() => loaded),
      () => undefined,
    );
  // Loaded with the page, because the phone may be offline by the time of the stop.
  useEffect(fetchPopup, []);
  const isUnderWay = isShownCharging(operation.status);
  const isRequested = operation.stop_requested || operation.status === 'finishing';
  return (
    <>
      <Button
        kind="stop"
        className="flex-1"
        busy={isSending && keptSince === null}
        disabled={isRequested || keptSince !== null}
        disabledLabel={
          keptSince !== null
            ? text('status:keptTitle')
            : isUnderWay
              ? text('status:finishing')
              : text('status:canceling')
        }
        onPress={() => {
          // Without a network nothing can be asked; the stop is kept and can be withdrawn.
          if (!navigator.onLine) stop();
          setAsking(true);
          // The first attempt to load it may have failed.
          if (!StopPopup) fetchPopup();
        }}
      >
        {isUnderWay ? text('status:finish') : text('status:cancel')}
      </Button>
      {StopPopup && isAsking && !isRequested && !isOperationOver(operation.status) && (
        <StopPopup
          operation={operation}
          keptSince={keptSince}
          onStop={() => {
            stop();
            setAsking(false);
          }}
          onWithdraw={withdraw}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function ReceiptButton({ id }: { id: number }) {
  const text = useText();
  const { mutate, isPending } = useAction(() => saveReceipt(id));
  return (
    <MainButton
      className="flex-1"
      busy={isPending}
      icon={<Download aria-hidden="true" size={20} />}
      onPress={() => mutate()}
    >
      {text('status:receipt')}
    </MainButton>
  );
}

/** To the conversation about this charge, with the telephone on top of it. */
function SupportButton({ id }: { id: number }) {
  const text = useText();
  return (
    <Link
      to={`/support?charge=${id}`}
      aria-label={text('status:support')}
      className="grid size-14 shrink-0 place-items-center rounded-control bg-surface-2 active:bg-line"
    >
      <Headset aria-hidden="true" size={24} />
    </Link>
  );
}
