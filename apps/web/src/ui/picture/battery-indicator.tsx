import { useText } from '../../i18n/use-text.ts';
import { formatPercent } from '../format/number-format.ts';
import { classNames } from '../hooks/class-names.ts';

interface BatteryIndicatorProps {
  /** 0 to 100. */
  percent: number;
  /** What the percent is about, for screen readers. */
  label?: string;
  /** It shows the past: grey, and nothing moves. */
  isOld?: boolean;
}

const segments = [0, 1, 2, 3];
const percentEach = 20;

/**
 * Four segments of 20 % each: the last fifth belongs to all four, so a full battery is shown a little before the end.
 */
export function BatteryIndicator({ percent, label, isOld = false }: BatteryIndicatorProps) {
  const text = useText();
  return (
    <div
      role="img"
      aria-label={label ?? text('generic:charged', { percent: formatPercent(percent) })}
      className={classNames('flex items-center gap-1.5', isOld ? 'text-offline-fill' : 'text-charging-fill')}
    >
      <div className="flex h-24 flex-1 gap-1.5 rounded-card border-[2.5px] border-current p-1.5">
        {segments.map((segment) => (
          <Segment key={segment} share={shareOf(segment, percent)} isOld={isOld} />
        ))}
      </div>
      <span className="h-10 w-1.5 rounded-r-full bg-current" />
    </div>
  );
}

function Segment({ share, isOld }: { share: number; isOld: boolean }) {
  return (
    <span data-share={share} className="flex-1 overflow-hidden rounded-[10px] bg-unlit">
      <span
        className={classNames(
          'block h-full bg-current transition-[width] duration-[400ms]',
          share < 1 &&
            !isOld &&
            'animate-stripes bg-[repeating-linear-gradient(105deg,transparent_0_9px,rgb(255_255_255/22%)_9px_18px)]',
        )}
        style={{ width: `${share * 100}%` }}
      />
    </span>
  );
}

/** The lit share of a segment, 0 to 1. */
export function shareOf(segment: number, percent: number): number {
  return Math.min(1, Math.max(0, (percent - segment * percentEach) / percentEach));
}
