import type { Operation } from '@fpay/contract/charging';
import { addressFor } from '@fpay/contract/languages';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import Layers from 'lucide-react/icons/layers';
import MapPin from 'lucide-react/icons/map-pin';
import Menu from 'lucide-react/icons/menu';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { lazy, type ReactNode, Suspense } from 'react';
import { ApiError } from '../../api/errors.ts';
import { Loaded } from '../../data/loaded.tsx';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { Link, Navigate, useParams } from '../../router/index.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { RefreshButton } from '../../ui/form/refresh-button.tsx';
import { formatMoney } from '../../ui/format/money.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Skeleton } from '../../ui/layout/skeleton.tsx';
import { useBack } from '../../ui/overlay/use-back.ts';
import { RotatingText } from '../../ui/picture/rotating-text.tsx';
import { isRegistered, useUser } from '../account/queries.ts';
import { Actions } from './actions.tsx';
import { ChargeAnnouncer } from './charge-announcer.tsx';
import { useFeedback } from './feedback.ts';
import { type Freshness, useFreshness } from './freshness.ts';
import { ChargingHero } from './hero.tsx';
import { IdleNotice } from './idle-notice.tsx';
import { InfoBlock } from './info-block.tsx';
import { useStop } from './kept-stop.ts';
import { useLiveOperation } from './live.ts';
import { MessageHero } from './message-hero.tsx';
import {
  KeptStopNotice,
  LostNotice,
  MissedRewardNotice,
  SharedPowerLine,
  SilentSoonLine,
  SiteNotice,
  StaleNotice,
  StationAwayNotice,
  StopIgnoredNotice,
} from './notice.tsx';
import { canRetry, hasNumbers, isFinished, isShownCharging } from './status-view.ts';
import { UnlockOffer } from './unlock.tsx';

const PowerCurveCard = lazy(async () => ({ default: (await import('./power-curve.tsx')).PowerCurveCard }));
const Facts = lazy(async () => ({ default: (await import('./facts.tsx')).Facts }));
const Returned = lazy(async () => ({ default: (await import('./returned.tsx')).Returned }));
const FeedbackPopup = lazy(async () => ({ default: (await import('./feedback-popup.tsx')).FeedbackPopup }));

const PushOffer = lazy(async () => ({ default: (await import('./push-offer.tsx')).PushOffer }));

const barMs = 5000;

interface StatusPageProps {
  /** Belongs to the shell, at the top right once the charge is over. */
  corner: ReactNode;
  /** Opens the menu of the shell. */
  onMenu: () => void;
}

/** The page of one operation, from the bank's answer to the receipt. */
export function StatusPage({ corner, onMenu }: StatusPageProps) {
  const text = useText();
  const id = Number(useParams().operation);
  const found = useLiveOperation(id);
  const { data: operation, error, dataUpdatedAt, errorUpdatedAt, isLost, refetch } = found;
  const refresh = (
    <RefreshButton onRefresh={() => void refetch()} fetchedAt={Math.max(dataUpdatedAt, errorUpdatedAt)} />
  );
  const isOver = operation && isEnding(operation);

  if (!operation && error instanceof ApiError && error.status < 500) return <Navigate to="/404" replace />;
  return (
    <>
      <header className="flex min-h-16 flex-wrap items-center gap-1 px-3 pb-1.5">
        {isOver ? (
          <BackButton />
        ) : (
          <IconButton label={text('menu:open')} icon={<Menu aria-hidden="true" size={24} />} onPress={onMenu} />
        )}
        <p className="flex-1 px-1 whitespace-nowrap">
          <span className="block text-small text-ink-2">{text('status:operation')}</span>
          <span className="tabular block text-card font-extrabold">{text('status:number', { id })}</span>
        </p>
        {operation && !isOver && <AllCharges />}
        {refresh}
        {isOver && corner}
      </header>
      <Loaded query={found} level={1} waiting={<Waiting />}>
        {(operation) => <Visit operation={operation} isLost={isLost} knownAt={dataUpdatedAt} />}
      </Loaded>
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
  const feedback = useFeedback(operation);
  const request = useStop(operation);
  const freshness = useFreshness(operation);
  return (
    <>
      <div className="flex flex-1 flex-col gap-3 px-4 pb-5">
        <ChargeAnnouncer operation={operation} freshness={freshness} isLost={isLost} />
        <StationBar operation={operation} />
        {request.keptSince !== null && <KeptStopNotice since={request.keptSince} onWithdraw={request.withdraw} />}
        {isLost ? <LostNotice knownAt={knownAt} /> : <DeviceNotices operation={operation} freshness={freshness} />}
        {isShownCharging(operation.status) ? (
          <ChargingHero operation={operation} isLost={isLost} freshness={freshness} />
        ) : (
          <MessageHero operation={operation} />
        )}
        {operation.refunded && (
          <Suspense>
            <Returned operation={operation} refunded={operation.refunded} />
          </Suspense>
        )}
        {operation.site_cause && <SiteNotice cause={operation.site_cause} />}
        {operation.missed_reward && <MissedRewardNotice amount={operation.missed_reward} />}
        <Details operation={operation} freshness={freshness} isLost={isLost} />
        <Terms operation={operation} />
      </div>
      <Actions operation={operation} request={request} />
      <Suspense>
        {feedback.open && <FeedbackPopup operation={operation} asks={feedback.open} onClose={feedback.close} />}
      </Suspense>
    </>
  );
}

interface PartProps {
  operation: Operation;
  freshness: Freshness;
}

const isAwaitingUnplug = ({ idle }: Operation) => idle?.is_awaiting_unplug ?? false;
const isEnding = ({ status }: Operation) => isFinished(status) || canRetry(status);

/** What the driver should know about the station while the phone has a network. */
function DeviceNotices({ operation, freshness }: PartProps) {
  const isStopping = operation.stop_requested || operation.status === 'finishing';
  return (
    <>
      {freshness === 'silent' && <StationAwayNotice isStopping={!isAwaitingUnplug(operation) && isStopping} />}
      {freshness === 'stale' && <StaleNotice />}
      {freshness !== 'silent' && operation.stop_ignored && <StopIgnoredNotice />}
      <IdleNotice operation={operation} />
    </>
  );
}

/** Numbers, curve and facts below the present state, and what can be done beside stopping. */
function Details({ operation, freshness, isLost }: PartProps & { isLost: boolean }) {
  const { status } = operation;
  return (
    <>
      {hasNumbers(operation) && <InfoBlock operation={operation} freshness={freshness} />}
      {(isShownCharging(status) || isFinished(status)) && (
        <Suspense>
          <PowerCurveCard operation={operation} isFresh={freshness === 'fresh'} />
        </Suspense>
      )}
      {!isLost && freshness === 'stale' && <SilentSoonLine operation={operation} />}
      {isEnding(operation) && (
        <Suspense>
          <Facts operation={operation} />
        </Suspense>
      )}
      {typeof operation.power_share === 'number' && <SharedPowerLine power={operation.power_share} />}
      {status === 'ongoing' && (
        <Suspense>
          <PushOffer />
        </Suspense>
      )}
      {(isFinished(status) || isAwaitingUnplug(operation)) && <UnlockOffer operation={operation} />}
    </>
  );
}

/** What a running charge costs beside its energy: nothing, or the idle fee. */
function Terms({ operation: { status, price, idle } }: { operation: Operation }) {
  const text = useText();
  if (!isShownCharging(status) || price === 0) return null;
  return (
    <p className="flex items-center justify-center gap-2.5 pt-1 text-note text-ink-2">
      <ShieldCheck aria-hidden="true" size={20} className="shrink-0 text-free" />
      {idle
        ? text('status:idleTerms', { fee: formatMoney(idle.fee), minutes: idle.grace_minutes })
        : text('status:onlyEnergy')}
    </p>
  );
}

/** The other cars of this driver that charge now. A guest has only this one. */
function AllCharges() {
  const text = useText();
  const user = useUser();
  if (!isRegistered(user)) return null;
  return (
    <Link
      to="/active"
      className="flex min-h-11 items-center gap-2 rounded-control bg-surface px-3 text-label font-bold shadow-card active:bg-surface-2 max-[359px]:px-2"
    >
      <Layers aria-hidden="true" size={18} />
      <span className="max-[359px]:sr-only">{text('status:allSessions')}</span>
      <span className="tabular rounded-badge bg-charging-tint px-1.5 text-small text-charging">
        {Math.max(1, user.active_operations.length)}
      </span>
    </Link>
  );
}

/** The station's number and its address alternate. */
function StationBar({ operation }: { operation: Operation }) {
  const language = useLanguage();
  const address = addressFor(operation, language);
  return (
    <Card className="flex min-h-13 items-center gap-3.5 px-4 py-2.5">
      <MapPin aria-hidden="true" size={20} className="shrink-0 text-ink-2" />
      <span className="min-w-0 flex-1 text-label [&_.truncate]:whitespace-normal">
        <RotatingText variants={[<strong key="number">{operation.number}</strong>, address]} everyMs={barMs} />
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
