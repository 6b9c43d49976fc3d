import type { Operation } from '@fpay/contract/charging';
import { kopecks } from '@fpay/contract/money';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import MapPin from 'lucide-react/icons/map-pin';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Undo2 from 'lucide-react/icons/undo-2';
import { lazy, type ReactNode, Suspense } from 'react';
import { ApiError, NetworkError } from '../../api/errors.ts';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { Navigate, useParams } from '../../router/index.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { RefreshButton } from '../../ui/form/refresh-button.tsx';
import { Money } from '../../ui/format/money.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { LoadFailure } from '../../ui/layout/load-failure.tsx';
import { Skeleton } from '../../ui/layout/skeleton.tsx';
import { useBack } from '../../ui/overlay/use-back.ts';
import { RotatingText } from '../../ui/picture/rotating-text.tsx';
import { Actions } from './actions.tsx';
import { useFeedback } from './feedback.ts';
import { ChargingHero, MessageHero } from './hero.tsx';
import { InfoBlock } from './info-block.tsx';
import { useLiveOperation } from './live.ts';
import { LostNotice, SharedPowerLine, StationAwayNotice, StopIgnoredNotice } from './notice.tsx';
import { canRetry, isFinished, isShownCharging } from './status-view.ts';
import { UnlockOffer } from './unlock.tsx';

const FeedbackPopup = lazy(async () => ({ default: (await import('./feedback-popup.tsx')).FeedbackPopup }));

const barMs = 5000;

/**
 * The page of one operation, from the bank's answer to the receipt. `corner` belongs to the shell, at the top right.
 */
export function StatusPage({ corner }: { corner: ReactNode }) {
  const text = useText();
  const id = Number(useParams().operation);
  const { data: operation, error, dataUpdatedAt, errorUpdatedAt, isFetching, isLost, refetch } = useLiveOperation(id);
  const refresh = (
    <RefreshButton onRefresh={() => void refetch()} fetchedAt={Math.max(dataUpdatedAt, errorUpdatedAt)} />
  );

  if (!operation && error instanceof ApiError && error.status < 500) return <Navigate to="/404" replace />;
  return (
    <>
      <header className="flex min-h-16 items-center gap-1 px-3">
        {operation && (isFinished(operation.status) || canRetry(operation.status)) && <BackButton />}
        <p className="min-w-0 flex-1 px-2">
          <span className="block text-small text-ink-2">{text('status:operation')}</span>
          <span className="tabular block text-card font-extrabold">{text('status:number', { id })}</span>
        </p>
        {refresh}
        {corner}
      </header>
      {operation ? (
        <Visit operation={operation} isLost={isLost} knownAt={dataUpdatedAt} />
      ) : error ? (
        <LoadFailure isOffline={error instanceof NetworkError} isTrying={isFetching} onTry={() => void refetch()} />
      ) : (
        <Waiting />
      )}
    </>
  );
}

interface VisitProps {
  operation: Operation;
  isLost: boolean;
  /** Unix ms. */
  knownAt: number;
}

function Visit({ operation, isLost, knownAt }: VisitProps) {
  const text = useText();
  const feedback = useFeedback(operation);
  const { status } = operation;
  return (
    <>
      <div className="flex flex-1 flex-col gap-3 px-4 pb-5">
        <StationBar operation={operation} />
        {isLost && <LostNotice knownAt={knownAt} />}
        {!isLost && isShownCharging(status) && !operation.is_online && <StationAwayNotice />}
        {!isLost && operation.is_online && operation.stop_ignored && <StopIgnoredNotice />}
        {isShownCharging(status) ? (
          <ChargingHero operation={operation} isLost={isLost} />
        ) : (
          <MessageHero operation={operation} />
        )}
        {typeof operation.power_share === 'number' && <SharedPowerLine power={operation.power_share} />}
        {status !== 'created' && !canRetry(status) && <InfoBlock operation={operation} />}
        {isFinished(status) && <Returned operation={operation} />}
        {isFinished(status) && <UnlockOffer operation={operation} />}
        {isShownCharging(status) && operation.price > 0 && (
          <p className="flex items-center justify-center gap-2.5 pt-1 text-note text-ink-2">
            <ShieldCheck aria-hidden="true" size={20} className="shrink-0 text-free" />
            {text('status:onlyEnergy')}
          </p>
        )}
      </div>
      <Actions operation={operation} />
      <Suspense>
        {feedback.open && <FeedbackPopup operation={operation} asks={feedback.open} onClose={feedback.close} />}
      </Suspense>
    </>
  );
}

/** The station's number and its address alternate. */
function StationBar({ operation }: { operation: Operation }) {
  const language = useLanguage();
  const address = language === 'uk' ? operation.address_uk : operation.address;
  return (
    <Card className="flex min-h-13 items-center gap-3.5 px-4 py-2.5">
      <MapPin aria-hidden="true" size={20} className="shrink-0 text-ink-2" />
      <span className="min-w-0 flex-1 text-label">
        <RotatingText variants={[<strong key="number">{operation.number}</strong>, address]} everyMs={barMs} />
      </span>
    </Card>
  );
}

/** The part of the deposit that was not used, shown only once it is final. */
function Returned({ operation: { amount, total, payment_type, status } }: { operation: Operation }) {
  const text = useText();
  if (status !== 'finished' || amount <= total) return null;
  return (
    <Card className="flex items-center gap-3.5 px-3 py-2.5">
      <span aria-hidden="true" className="grid size-10 shrink-0 place-items-center rounded-control bg-surface-2">
        <Undo2 size={20} />
      </span>
      <span className="flex-1 text-label">
        {payment_type === 'bonuses' ? text('status:returnedToBalance') : text('status:releasedOnCard')}
      </span>
      <span className="text-label font-extrabold text-accent-text">
        +<Money amount={kopecks(amount - total)} />
      </span>
    </Card>
  );
}

/** Goes to the previous page. A driver who came from the bank has no previous page of ours. */
function BackButton() {
  const text = useText();
  const goBack = useBack('/map');
  return <IconButton label={text('generic:back')} icon={<ArrowLeft aria-hidden="true" size={24} />} onPress={goBack} />;
}

function Waiting() {
  return (
    <div aria-busy="true" data-testid="waiting" className="flex flex-col gap-3 px-4">
      <Skeleton className="h-13 rounded-card" />
      <Skeleton className="h-90 rounded-card" />
      <Skeleton className="h-37 rounded-card" />
    </div>
  );
}
