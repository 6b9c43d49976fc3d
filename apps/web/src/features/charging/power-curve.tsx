import type { Operation } from '@fpay/contract/charging';
import { type PowerCurve as Curve, powerScaleTop } from '@fpay/contract/power-curve';
import { useQuery } from '@tanstack/react-query';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { formatInstant, formatNumber, formatPercent } from '../../ui/format/number-format.ts';
import { classNames } from '../../ui/hooks/class-names.ts';
import { useOnline } from '../../ui/hooks/use-online.ts';
import { Card } from '../../ui/layout/card.tsx';
import { chargingQueries } from './queries.ts';
import { isOperationOver } from './status-view.ts';

const width = 320;
const height = 120;

/** The power over time; without new readings it ends before the present. Nothing is shown before the second reading, because one point is no curve. */
export function PowerCurveCard({ operation, isFresh }: { operation: Operation; isFresh: boolean }) {
  const text = useText();
  const language = useLanguage();
  // A running charge asks again with each new reading.
  const version = isOperationOver(operation.status) ? 'over' : (operation.read_at ?? '');
  const { data } = useQuery({ ...chargingQueries.curve(operation.id, version), enabled: useOnline() });
  if (!data || data.began_at === null || data.seconds.length < 2) return null;
  const most = Math.max(0, ...data.power.map((power) => power ?? 0));
  if (most === 0) return null;
  const top = powerScaleTop(most / 1000);
  // The first reading comes some seconds after the start, which all other pages show.
  const began = Date.parse(operation.started_at ?? data.began_at);
  const measured = data.seconds.at(-1) ?? 0;
  const expected = isFresh ? expectedSeconds(operation, measured) : 0;
  const span = measured + expected;
  const clock = (seconds: number) =>
    formatInstant(new Date(began + seconds * 1000).toISOString(), { hour: '2-digit', minute: '2-digit' }, language);
  const line = linePoints(data, top, span);
  const kilowatts = (value: number) => formatNumber(value, { least: 0, most: 1 }, language);
  return (
    <Card className="px-4 py-3.5">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-body font-extrabold">{text('status:power')}</h2>
        <p className="tabular text-small text-ink-2">{text('status:mostPower', { power: kilowatts(most / 1000) })}</p>
      </div>
      {data.soc_first !== null && data.soc_last !== null && data.soc_last > data.soc_first && (
        <p className="tabular text-small text-ink-2">
          {text('status:carFromTo', { from: data.soc_first, to: formatPercent(data.soc_last, language) })}
        </p>
      )}
      <div className="mt-2 flex gap-2">
        <ol aria-hidden="true" className="tabular flex flex-col justify-between text-right text-small text-ink-2">
          {[top, (top * 2) / 3, top / 3, 0].map((value) => (
            <li key={value} className="leading-none">
              {kilowatts(value)}
            </li>
          ))}
        </ol>
        <CurveDrawing
          label={text('status:mostPower', { power: kilowatts(most / 1000) })}
          line={line}
          isFresh={isFresh}
          isExpected={expected > 0}
        />
        {!isFresh && (
          <p className="grid h-30 flex-1 place-content-center rounded-badge bg-occupied-tint px-1 text-center text-small font-bold text-occupied">
            {text('status:noReadings')}
          </p>
        )}
      </div>
      <p
        aria-hidden="true"
        className={classNames('tabular mt-1.5 flex justify-between pl-7 text-small text-ink-2', !isFresh && 'pr-[25%]')}
      >
        {(span > 120 ? [0, span / 2, span] : [0, span]).map((seconds) => (
          <span key={seconds}>{clock(seconds)}</span>
        ))}
      </p>
    </Card>
  );
}

interface CurveDrawingProps {
  label: string;
  line: ReturnType<typeof linePoints>;
  isFresh: boolean;
  /** The line goes on to the expected end of the charge. */
  isExpected: boolean;
}

function CurveDrawing({ label, line, isFresh, isExpected }: CurveDrawingProps) {
  const last = line.at(-1);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={classNames(
        'h-30 min-w-0 overflow-visible',
        isFresh ? 'flex-1 text-charging-fill' : 'flex-3 text-offline-fill',
      )}
    >
      <path
        d={[0, 1, 2, 3].map((row) => `M0 ${(row * height) / 3}H${width}`).join('')}
        className="stroke-line"
        vectorEffect="non-scaling-stroke"
      />
      <path
        d={`M0 ${height}${line.map(toPoint).join('')}L${last?.x ?? 0} ${height}Z`}
        fill="currentColor"
        opacity={0.14}
      />
      <path
        data-line="power"
        d={line.map((point, index) => toPoint(point).replace('L', index === 0 ? 'M' : 'L')).join('')}
        fill="none"
        stroke="currentColor"
        strokeWidth={2.5}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
      {last && isExpected && (
        <>
          <path
            data-line="expected"
            d={`M${last.x} ${last.y}H${width}`}
            fill="none"
            stroke="currentColor"
            strokeWidth={2.5}
            strokeDasharray="5 5"
            vectorEffect="non-scaling-stroke"
          />
          {/* A line of no length with round ends stays a circle while the drawing is stretched. */}
          <path
            d={`M${last.x} ${last.y}h0`}
            stroke="currentColor"
            strokeWidth={9}
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
        </>
      )}
    </svg>
  );
}

/** At most a quarter of the drawing, so that the measured part stays readable at the beginning of a long charge. */
function expectedSeconds({ status, time_left }: Operation, measured: number): number {
  return status === 'ongoing' && time_left !== null ? Math.min(time_left, Math.floor(measured / 3)) : 0;
}

interface Point {
  x: number;
  y: number;
}

/** Readings without a value are left out. */
function linePoints({ seconds, power }: Curve, top: number, span: number): Point[] {
  return power.flatMap((value, index) =>
    value === null
      ? []
      : [
          {
            x: Math.round(((seconds[index] ?? 0) / Math.max(1, span)) * width),
            y: Math.round(height - (value / 1000 / top) * height),
          },
        ],
  );
}

const toPoint = ({ x, y }: Point) => `L${x} ${y}`;
