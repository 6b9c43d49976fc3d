import type { OperationCurve } from '@fpay/contract/admin/operations';
import { wattHours, watts } from '@fpay/contract/money';
import { useQuery } from '@tanstack/react-query';
import { useText } from '../../../i18n/use-text.ts';
import { Energy } from '../../../ui/format/energy.tsx';
import { Power } from '../../../ui/format/power.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { operationViewQueries } from './queries.ts';

const width = 600;
const height = 160;

/** Power and energy over time. Nothing is shown before the second reading, because one point is no curve. */
export function Curve({ id }: { id: number }) {
  const text = useText();
  const { data } = useQuery(operationViewQueries.curve(id));
  if (!data || data.seconds.length < 2) return null;
  const mostPower = Math.max(0, ...data.power.map((power) => power ?? 0));
  const mostEnergy = Math.max(0, ...data.energy);
  const minutes = Math.round((data.seconds.at(-1) ?? 0) / 60);
  return (
    <Card>
      <h2 className="mb-2 text-label">{text('adminOperations:curve')}</h2>
      <svg aria-hidden="true" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" className="h-40 w-full">
        <path d={`M0 ${height / 2}H${width}M0 ${height}H${width}`} className="stroke-line" fill="none" />
        {mostPower > 0 && (
          <path
            data-line="power"
            d={linePath(data.seconds, data.power, mostPower)}
            className="stroke-charging-fill"
            fill="none"
            strokeWidth={2}
            vectorEffect="non-scaling-stroke"
          />
        )}
        {mostEnergy > 0 && (
          <path
            data-line="energy"
            d={linePath(data.seconds, data.energy, mostEnergy)}
            className="stroke-free-fill"
            fill="none"
            strokeWidth={2}
            vectorEffect="non-scaling-stroke"
          />
        )}
      </svg>
      <ul className="mt-2 flex flex-wrap gap-x-4 text-small text-ink-2">
        {mostPower > 0 ? (
          <li>
            <span aria-hidden="true" className="mr-1.5 inline-block h-0.5 w-4 bg-charging-fill align-middle" />
            {text('adminOperations:mostPower')} <Power power={watts(mostPower)} />
          </li>
        ) : (
          <li>{text('adminOperations:noPower')}</li>
        )}
        <li>
          <span aria-hidden="true" className="mr-1.5 inline-block h-0.5 w-4 bg-free-fill align-middle" />
          <Energy energy={wattHours(mostEnergy)} />
        </li>
        <li>{text('admin:minutes', { count: minutes })}</li>
      </ul>
    </Card>
  );
}

/** A reading without a value interrupts the line. */
export function linePath(seconds: readonly number[], values: OperationCurve['power'], most: number): string {
  const first = seconds[0] ?? 0;
  const span = Math.max(1, (seconds.at(-1) ?? 0) - first);
  let isDrawing = false;
  return values
    .map((value, index) => {
      if (value === null) {
        isDrawing = false;
        return '';
      }
      const x = Math.round((((seconds[index] ?? 0) - first) / span) * width);
      const y = Math.round(height - (value / most) * height);
      const command = isDrawing ? 'L' : 'M';
      isDrawing = true;
      return `${command}${x} ${y}`;
    })
    .join('');
}
