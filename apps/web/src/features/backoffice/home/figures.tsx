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
import { relativeChange, saysTooLittle } from '../parts/change.ts';
import { figureGrid } from '../parts/figure-grid.ts';

/** The figures that the role may see, each a link to its list. */
export function Figures({ today: { energy, money, net, success, running } }: { today: Today }) {
  const text = useText();
  const language = useLanguage();
  const kilowattHours = (kwh: number) =>
    `${formatNumber(kwh, { least: 0, most: kwh < 100 ? 1 : 0 }, language)}${gap}${text('generic:kwh')}`;
  const hryvnias = (sum: number) => formatMoney(kopecks(sum), { rounded: true }, language);
  return (
    <div className={figureGrid}>
      {energy && (
        <FigureLink
          to="/admin/stats?period=today"
          Icon={Zap}
          label={text('admin:energy')}
          value={kilowattHours(energy.now)}
          change={relativeChange(energy)}
          {...(energy.week_ago !== null && { before: kilowattHours(energy.week_ago) })}
        />
      )}
      {money && (
        <FigureLink
          to="/admin/stats?period=today"
          Icon={Banknote}
          label={text('admin:money')}
          value={hryvnias(money.now)}
          change={relativeChange(money)}
          {...(money.week_ago !== null && { before: hryvnias(money.week_ago) })}
          {...(net && {
            note: text('adminHome:netOf', { sum: `${net.now < 0 ? '−' : ''}${hryvnias(Math.abs(net.now))}` }),
          })}
        />
      )}
      {success && (
        <FigureLink
          to="/admin/operations?status=failed"
          Icon={CircleCheck}
          label={text('adminHome:starts')}
          value={success.now === null ? '?%' : `${formatNumber(success.now, { least: 0, most: 1 }, language)}${gap}%`}
          change={success.now === null || success.week_ago === null ? null : success.now - success.week_ago}
          isInPoints
        />
      )}
      {running && (
        <FigureLink
          to="/admin/operations?status=open"
          Icon={Activity}
          label={text('adminHome:running')}
          value={formatNumber(running.now, { least: 0, most: 0 }, language)}
          change={null}
        />
      )}
    </div>
  );
}

interface FigureLinkProps {
  to: string;
  Icon: typeof Zap;
  label: string;
  value: string;
  /** Against the same weekday a week ago. */
  change: number | null;
  /** The figure of a week ago. */
  before?: string;
  note?: string;
  /** The figure itself is in per cent, so its change is in points. */
  isInPoints?: boolean;
}

function FigureLink({ to, Icon, label, value, change, before, note, isInPoints = false }: FigureLinkProps) {
  const text = useText();
  return (
    <Pressable to={to} className="min-w-0 rounded-card bg-surface px-4 py-3 shadow-card hover:bg-surface-2">
      <span className="flex items-center gap-2 text-small text-ink-2">
        <Icon aria-hidden="true" size={16} className="shrink-0" />
        {label}
      </span>
      <span className="block text-[clamp(1.25rem,6vw,1.625rem)] leading-8 font-extrabold tracking-tight">{value}</span>
      {note && <span className="block text-small text-ink-2">{note}</span>}
      {before !== undefined && saysTooLittle(change) ? (
        <span className="block text-small text-ink-2">{text('adminHome:wasWeekAgo', { value: before })}</span>
      ) : (
        change !== null && <Change change={change} isInPoints={isInPoints} />
      )}
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
        ? text('adminHome:points', { points: formatNumber(size, { least: 0, most: 1 }, language) })
        : formatPercent(size, language)}
      <span className="font-normal text-ink-2">{text('adminHome:thanWeekAgo')}</span>
    </span>
  );
}
