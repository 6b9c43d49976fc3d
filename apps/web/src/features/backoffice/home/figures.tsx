import type { Today } from '@fpay/contract/admin/stats';
import { kopecks } from '@fpay/contract/money';
import Activity from 'lucide-react/icons/activity';
import ArrowDownRight from 'lucide-react/icons/arrow-down-right';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import Banknote from 'lucide-react/icons/banknote';
import CircleCheck from 'lucide-react/icons/circle-check';
import Zap from 'lucide-react/icons/zap';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { Pressable } from '../../../ui/form/pressable.tsx';
import { formatMoney } from '../../../ui/format/money.tsx';
import { formatNumber, formatPercent, gap } from '../../../ui/format/number-format.ts';
import { classNames } from '../../../ui/hooks/class-names.ts';
import { figureGrid } from '../parts/figure-grid.ts';

/** The figures that the role may see, each a link to its list. */
export function Figures({ today: { energy, money, success, running } }: { today: Today }) {
  const text = useText();
  const language = useLanguage();
  return (
    <div className={figureGrid}>
      {energy && (
        <FigureLink
          to="/admin/stats?period=today"
          Icon={Zap}
          label={text('admin:energy')}
          value={`${formatNumber(energy.now, { least: 0, most: energy.now < 100 ? 1 : 0 }, language)} ${text('generic:kwh')}`}
          change={relativeChange(energy)}
        />
      )}
      {money && (
        <FigureLink
          to="/admin/stats?period=today"
          Icon={Banknote}
          label={text('admin:money')}
          value={formatMoney(kopecks(money.now), { rounded: true }, language)}
          change={relativeChange(money)}
        />
      )}
      {success && (
        <FigureLink
          to="/admin/operations?status=failed"
          Icon={CircleCheck}
          label={text('admin:starts')}
          value={success.now === null ? '?%' : `${formatNumber(success.now, { least: 0, most: 1 }, language)}${gap}%`}
          change={success.now === null || success.week_ago === null ? null : success.now - success.week_ago}
          isInPoints
        />
      )}
      {running && (
        <FigureLink
          to="/admin/operations?status=open"
          Icon={Activity}
          label={text('admin:running')}
          value={formatNumber(running.now, { least: 0, most: 0 }, language)}
          change={null}
        />
      )}
    </div>
  );
}

/** In per cent; null when there is nothing to compare with. */
export function relativeChange({ now, week_ago: before }: { now: number; week_ago: number | null }): number | null {
  return before ? ((now - before) / before) * 100 : null;
}

interface FigureLinkProps {
  to: string;
  Icon: typeof Zap;
  label: string;
  value: string;
  /** Against the same weekday a week ago. */
  change: number | null;
  /** The figure itself is in per cent, so its change is in points. */
  isInPoints?: boolean;
}

function FigureLink({ to, Icon, label, value, change, isInPoints = false }: FigureLinkProps) {
  return (
    <Pressable to={to} className="min-w-0 rounded-card bg-surface px-4 py-3 shadow-card hover:bg-surface-2">
      <span className="flex items-center gap-2 text-small text-ink-2">
        <Icon aria-hidden="true" size={16} className="shrink-0" />
        {label}
      </span>
      <span className="block text-[clamp(1.25rem,6vw,1.625rem)] leading-8 font-extrabold tracking-tight">{value}</span>
      {change !== null && <Change change={change} isInPoints={isInPoints} />}
    </Pressable>
  );
}

function Change({ change, isInPoints }: { change: number; isInPoints: boolean }) {
  const text = useText();
  const language = useLanguage();
  const isDown = change < 0;
  const Arrow = isDown ? ArrowDownRight : ArrowUpRight;
  const size = Math.abs(change);
  return (
    <span
      className={classNames(
        'flex flex-wrap items-center gap-x-1 text-small font-bold',
        isDown ? 'text-error' : 'text-free',
      )}
    >
      <Arrow aria-hidden="true" size={14} />
      {isDown ? '−' : '+'}
      {isInPoints
        ? text('admin:points', { points: formatNumber(size, { least: 0, most: 1 }, language) })
        : formatPercent(size, language)}
      <span className="font-normal text-ink-2">{text('admin:thanWeekAgo')}</span>
    </span>
  );
}
