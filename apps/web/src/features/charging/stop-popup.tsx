import type { Operation } from '@fpay/contract/charging';
import { kopecks } from '@fpay/contract/money';
import Clock from 'lucide-react/icons/clock';
import OctagonX from 'lucide-react/icons/octagon-x';
import Phone from 'lucide-react/icons/phone';
import WifiOff from 'lucide-react/icons/wifi-off';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { formatAge } from '../../ui/format/age.ts';
import { formatKwh } from '../../ui/format/energy.tsx';
import { formatMoney } from '../../ui/format/money.tsx';
import { gap } from '../../ui/format/number-format.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { FactRow } from '../../ui/layout/fact-row.tsx';
import { PopupFrame } from '../../ui/overlay/popup-frame.tsx';
import { useSettings } from '../settings/queries.ts';
import { freshnessOf } from './freshness.ts';
import { useServerNow } from './server-clock.ts';
import { isShownCharging } from './status-view.ts';

interface StopPopupProps {
  operation: Operation;
  /** Unix ms since when the stop waits for the phone's network; null when it does not. */
  keptSince: number | null;
  onStop: () => void;
  onWithdraw: () => void;
  onClose: () => void;
}

/**
 * What the stop will do, as far as it is known. Sums are promised only with a fresh reading; with a silent station or phone
 * the popup says what will happen instead.
 */
export function StopPopup(props: StopPopupProps) {
  const { operation, keptSince } = props;
  // A kept stop has this device's clock, everything else the server's.
  const deviceNow = useNow(1000);
  const now = useServerNow(1000);
  if (keptSince !== null) return <Kept {...props} waitsMs={deviceNow - keptSince} />;
  if (!isShownCharging(operation.status)) return <Cancel {...props} />;
  return freshnessOf(operation, now) === 'silent' ? <Silent {...props} now={now} /> : <Fresh {...props} now={now} />;
}

function Fresh({ operation, onStop, onClose, now }: StopPopupProps & { now: number }) {
  const text = useText();
  const { energy, total, amount, price, payment_type, is_overcharged, read_at } = operation;
  const isReturned = payment_type === 'bonuses' || is_overcharged;
  const about = (value: string) => text('status:aboutValue', { value });
  const rest = kopecks(Math.max(0, amount - total));
  return (
    <PopupFrame open onClose={onClose} title={text('status:finishTitle')} titleClassName="text-h2">
      <dl className="-mt-2 flex flex-col gap-2 rounded-control bg-surface-2 p-3.5 text-label">
        <FactRow name={text('status:energy')}>{about(`${formatKwh(energy, 1)}${gap}${text('generic:kwh')}`)}</FactRow>
        {price > 0 && (
          <>
            <FactRow name={text('status:willCharge')}>{about(formatMoney(total, { rounded: true }))}</FactRow>
            <FactRow name={isReturned ? text('status:willReturn') : text('status:willRelease')}>
              {about(formatMoney(rest, { rounded: true }))}
            </FactRow>
          </>
        )}
      </dl>
      <p className="-mt-2 flex gap-2.5 text-note text-ink-2">
        <Clock aria-hidden="true" size={18} className="mt-px shrink-0" />
        <span className="tabular">
          {price === 0
            ? text('status:nothingToPay')
            : read_at
              ? text('status:exactLater', { age: formatAge(now - Date.parse(read_at)) })
              : text('status:exactAfterStop')}
        </span>
      </p>
      <div className="flex flex-col gap-2">
        <Button kind="stop" onPress={onStop}>
          {text('status:finishYes')}
        </Button>
        <Button onPress={onClose}>{text('status:finishNo')}</Button>
      </div>
    </PopupFrame>
  );
}

function Silent({ operation, onStop, onClose, now }: StopPopupProps & { now: number }) {
  const text = useText();
  const { support_phone } = useSettings();
  const { read_at } = operation;
  return (
    <PopupFrame open onClose={onClose} title={text('status:silentTitle')} titleClassName="text-h2">
      <p className="-mt-3 text-body text-ink-2">
        {read_at && (
          <span className="tabular">{text('status:silentSince', { age: formatAge(now - Date.parse(read_at)) })} </span>
        )}
        {text('status:silentText')}
      </p>
      <p className="-mt-1 flex items-center gap-3 text-label">
        <span
          aria-hidden="true"
          className="grid size-10 shrink-0 place-items-center rounded-control bg-error-tint text-error"
        >
          <OctagonX size={22} />
        </span>
        {text('status:redButton')}
      </p>
      <div className="flex flex-col gap-2">
        <Button kind="stop" onPress={onStop}>
          {text('status:passStop')}
        </Button>
        <Button href={`tel:${support_phone}`} icon={<Phone aria-hidden="true" size={20} />}>
          {text('status:call')}
        </Button>
        <Button kind="text" size="s" className="text-accent-text!" onPress={onClose}>
          {text('status:finishNo')}
        </Button>
      </div>
    </PopupFrame>
  );
}

function Kept({ onWithdraw, onClose, waitsMs }: StopPopupProps & { waitsMs: number }) {
  const text = useText();
  return (
    <PopupFrame open onClose={onClose} title={text('status:keptTitle')} titleClassName="text-h2">
      <p className="-mt-3 text-body text-ink-2">{text('status:keptText')}</p>
      <p className="tabular flex items-center gap-3 rounded-control bg-occupied-tint p-3.5 text-label text-occupied">
        <WifiOff aria-hidden="true" size={20} className="shrink-0" />
        {text('status:waitsForNetwork', { seconds: Math.max(0, Math.floor(waitsMs / 1000)) })}
      </p>
      <div className="flex flex-col gap-2">
        <Button onPress={onClose}>{text('status:understood')}</Button>
        <Button
          kind="text"
          size="s"
          className="text-accent-text!"
          onPress={() => {
            onWithdraw();
            onClose();
          }}
        >
          {text('status:withdraw')}
        </Button>
      </div>
    </PopupFrame>
  );
}

/** Before power flows, the whole deposit stays with the driver, or goes back to a card that was charged. */
function Cancel({ operation, onStop, onClose }: StopPopupProps) {
  const text = useText();
  return (
    <PopupFrame open onClose={onClose} title={text('status:cancelTitle')} titleClassName="text-h2">
      <p className="-mt-3 text-body text-ink-2">
        {operation.payment_type === 'free'
          ? text('status:cancelFree')
          : text(operation.is_overcharged ? 'status:cancelReturns' : 'status:cancelEffect', {
              deposit: formatMoney(operation.amount),
            })}
      </p>
      <div className="flex flex-col gap-2">
        <Button kind="stop" onPress={onStop}>
          {text('status:cancel')}
        </Button>
        <Button onPress={onClose}>{text('status:cancelNo')}</Button>
      </div>
    </PopupFrame>
  );
}
