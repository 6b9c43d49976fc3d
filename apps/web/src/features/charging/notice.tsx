import type { Operation } from '@fpay/contract/charging';
import type { Kopecks, Watts } from '@fpay/contract/money';
import Gauge from 'lucide-react/icons/gauge';
import Gift from 'lucide-react/icons/gift';
import Info from 'lucide-react/icons/info';
import OctagonX from 'lucide-react/icons/octagon-x';
import Phone from 'lucide-react/icons/phone';
import PowerOff from 'lucide-react/icons/power-off';
import WifiOff from 'lucide-react/icons/wifi-off';
import { type ReactNode, useRef } from 'react';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { formatAge } from '../../ui/format/age.ts';
import { formatMoney } from '../../ui/format/money.tsx';
import { formatPower } from '../../ui/format/power.tsx';
import { useNow } from '../../ui/hooks/use-now.ts';
import { useOnChange } from '../../ui/hooks/use-on-change.ts';
import { useSettings } from '../settings/queries.ts';
import { readingAgeMs } from './freshness.ts';
import { useServerNow } from './server-clock.ts';

/** The phone has no network, so this shows the age of the last known state. */
export function LostNotice({ knownAt }: { knownAt: number }) {
  const text = useText();
  const now = useNow(1000);
  return (
    <Notice icon={<WifiOff size={24} />} title={text('status:lost')}>
      {text('status:lostText', { age: formatAge(now - knownAt) })}
    </Notice>
  );
}

/**
 * The phone is online but the station does not answer; it may continue charging by itself. After a stop was requested, the
 * driver learns when it takes effect and what to do until then.
 */
export function StationAwayNotice({ isStopping }: { isStopping: boolean }) {
  const text = useText();
  return (
    <Notice icon={<PowerOff size={24} />} title={isStopping ? text('status:stopWaits') : text('status:silentTitle')}>
      {isStopping ? text('status:stopWaitsText') : text('status:stationAwayText')}
    </Notice>
  );
}

/** The readings are late, which is no failure yet. The age beside the energy counts the seconds. */
export function StaleNotice() {
  const text = useText();
  return (
    <Notice icon={<WifiOff size={24} />} title={text('status:stale')}>
      {text('status:staleText')}
    </Notice>
  );
}

/** When the page will say that the station does not answer. */
export function SilentSoonLine({ operation }: { operation: Operation }) {
  const text = useText();
  const ageMs = readingAgeMs(operation, useServerNow(1000)) ?? 0;
  const seconds = Math.max(0, Math.ceil(operation.silent_after - ageMs / 1000));
  return (
    <p className="flex items-start gap-2.5 rounded-card bg-surface-2 p-4 text-note text-ink-2">
      <Info aria-hidden="true" size={20} className="shrink-0" />
      <span className="tabular">{text('status:silentSoon', { seconds })}</span>
    </p>
  );
}

/** The stop waits on the phone for the network, and can be withdrawn until it is sent. */
export function KeptStopNotice({ since, onWithdraw }: { since: number; onWithdraw: () => void }) {
  const text = useText();
  const now = useNow(1000);
  return (
    <div className="flex flex-col gap-2 rounded-card bg-occupied-tint p-4 text-occupied">
      <p className="flex items-center gap-3.5 text-note">
        <WifiOff aria-hidden="true" size={24} className="shrink-0" />
        <span>
          <strong role="status" className="block text-body font-bold">
            {text('status:keptTitle')}
          </strong>
          <span className="tabular">
            {text('status:waitsForNetwork', { seconds: Math.max(0, Math.floor((now - since) / 1000)) })}
          </span>
        </span>
      </p>
      <Button size="s" className="bg-surface!" onPress={onWithdraw}>
        {text('status:withdraw')}
      </Button>
    </div>
  );
}

/** The station ignores the stop, so only its own button or a call helps. */
export function StopIgnoredNotice() {
  const text = useText();
  const { support_phone: phone } = useSettings();
  return (
    <Notice icon={<OctagonX size={24} />} title={text('status:stopIgnored')}>
      {text('status:stopIgnoredText')}
      <span className="mt-3 flex flex-col">
        <Button href={`tel:${phone}`} icon={<Phone aria-hidden="true" size={20} />}>
          {text('status:call')}
        </Button>
      </span>
    </Notice>
  );
}

/** One line: several cars share the power of the site. */
export function SharedPowerLine({ power }: { power: Watts }) {
  const text = useText();
  return (
    <p className="flex items-start gap-2.5 px-1 text-note text-ink-2">
      <Gauge aria-hidden="true" size={20} className="shrink-0 text-charging" />
      <span>{text('status:powerShared', { power: formatPower(power) })}</span>
    </p>
  );
}

/** The budget of a promotion was used up before this charge ended. */
export function MissedRewardNotice({ amount }: { amount: Kopecks }) {
  const text = useText();
  const language = useLanguage();
  return (
    <p role="status" className="flex items-start gap-2.5 rounded-card bg-promo-tint p-4 text-note">
      <Gift aria-hidden="true" size={20} className="shrink-0 text-promo" />
      <span>{text('status:missedReward', { sum: formatMoney(amount, {}, language) })}</span>
    </p>
  );
}

/** The site had no power for this charge. */
export function SiteNotice({ cause }: { cause: 'full' | 'limit' }) {
  const text = useText();
  return (
    <p role="status" className="flex items-start gap-2.5 rounded-card bg-occupied-tint p-4 text-note text-occupied">
      <Gauge aria-hidden="true" size={20} className="shrink-0" />
      <span>{text(cause === 'full' ? 'status:siteFull' : 'status:siteLimit')}</span>
    </p>
  );
}

function Notice({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  const notice = useInView(title);
  return (
    <div ref={notice} className="flex scroll-my-4 items-start gap-3.5 rounded-card bg-occupied-tint p-4 text-occupied">
      <span aria-hidden="true">{icon}</span>
      <p className="text-note">
        <strong className="block text-body font-bold">{title}</strong>
        <span className="tabular">{children}</span>
      </p>
    </div>
  );
}

/** What the driver must know now is brought into view when it appears, because it is above the button that was pressed. */
function useInView(about: string) {
  const notice = useRef<HTMLDivElement>(null);
  useOnChange([about], () => void notice.current?.scrollIntoView?.({ block: 'nearest' }));
  return notice;
}
