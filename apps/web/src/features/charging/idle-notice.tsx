import type { Operation } from '@fpay/contract/charging';
import type { OperationIdle } from '@fpay/contract/idle-fee';
import Timer from 'lucide-react/icons/timer';
import { useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { formatMoney } from '../../ui/format/money.tsx';
import { useNow } from '../../ui/hooks/use-now.ts';

/** The grace time counted down, then the fee as it grows. Only while the server counts idle time, or waits for the plug. */
export function IdleNotice({ operation: { idle } }: { operation: Operation }) {
  if (!idle || (idle.cause === null && !idle.is_awaiting_unplug)) return null;
  return <Counting idle={idle} />;
}

function Counting({ idle }: { idle: OperationIdle }) {
  const text = useText();
  const seconds = useIdleSeconds(idle);
  const left = idle.grace_minutes * 60 - seconds;
  const fee = formatMoney(idle.fee);
  return (
    <div
      data-testid="idle"
      className="flex items-start gap-3.5 rounded-card bg-occupied-tint p-4 text-note text-occupied"
    >
      <Timer aria-hidden="true" size={24} className="shrink-0" />
      <p>
        <strong className="block text-body font-bold">
          {idle.is_awaiting_unplug ? text('status:idlePlugged') : text('status:idleFull')}
        </strong>
        <span className="tabular block">
          {idle.is_capped
            ? text('status:idleCapped', { sum: formatMoney(idle.total) })
            : left > 0
              ? text('status:idleGrace', { time: clockOf(left), fee })
              : text('status:idleRuns', { time: clockOf(-left), sum: formatMoney(idle.total), fee })}
        </span>
        {idle.is_awaiting_unplug && (
          <span className="block">{idle.cause === null ? text('status:idleWaits') : text('status:idleReceipt')}</span>
        )}
      </p>
    </div>
  );
}

/** The server publishes a change only once a minute, so the page counts the seconds between. */
function useIdleSeconds(idle: OperationIdle): number {
  const now = useNow(1000);
  const [known, setKnown] = useState({ idle, at: now });
  if (known.idle !== idle) setKnown({ idle, at: now });
  const { idle: last, at } = known;
  return last.seconds + (last.cause === null ? 0 : Math.max(0, Math.floor((now - at) / 1000)));
}

/** 65 → 1:05 */
function clockOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
