import type { TariffTerms } from '@fpay/contract/admin/network/tariffs';
import { kopecks } from '@fpay/contract/money';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useText } from '../../../../i18n/use-text.ts';
import { Money } from '../../../../ui/format/money.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { readDay } from '../../parts/calendar.ts';
import { kyivLocal } from '../../parts/kyiv-time.ts';
import { MomentField } from '../../parts/moment-field.tsx';
import { useSettled } from '../../parts/use-settled.ts';
import { tariffQueries } from './queries.ts';

const [width, height] = [336, 140];
const hourWidth = width / 24;

/** What each hour of a chosen day costs under the terms that are being edited. */
export function DayPreview({ terms }: { terms: TariffTerms }) {
  const text = useText();
  const [date, setDate] = useState(() => kyivLocal(new Date()).slice(0, 10));
  const [typed, setTyped] = useState(date);
  const settled = useSettled({ terms, date }, 250);
  const { data: hours } = useQuery(tariffQueries.preview(settled.terms, settled.date));
  const shown = hours ?? [];
  const prices = shown.map(({ price }) => price);
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  const top = Math.max(1, ...shown.map(({ price, old_price }) => old_price ?? price));
  const y = (price: number) => 8 + (height - 16) * (1 - price / (top * 1.1));
  const line = shown.map(({ hour, price }) => `${hour * hourWidth},${y(price)} ${(hour + 1) * hourWidth},${y(price)}`);
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-card">{text('networkBuild:preview')}</h2>
      <MomentField
        unit="day"
        label={text('networkBuild:date')}
        value={typed}
        onChange={(next) => {
          setTyped(next);
          setDate(readDay(next) ?? date);
        }}
      />
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true" className="w-full">
        {shown.length > 0 && (
          <polygon points={`0,${height} ${line.join(' ')} ${width},${height}`} className="fill-charging-tint" />
        )}
        {shown.flatMap(({ hour, old_price }) =>
          old_price === null
            ? []
            : [
                <line
                  key={hour}
                  x1={hour * hourWidth}
                  x2={(hour + 1) * hourWidth}
                  y1={y(old_price)}
                  y2={y(old_price)}
                  strokeDasharray="4 4"
                  className="stroke-offline"
                  strokeWidth="1.5"
                />,
              ],
        )}
        <polyline points={line.join(' ')} fill="none" strokeWidth="2.5" className="stroke-charging" />
      </svg>
      <p aria-hidden="true" className="flex justify-between text-small text-ink-2">
        {['00', '06', '12', '18', '24'].map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </p>
      <table className="sr-only">
        <caption>{text('networkBuild:preview')}</caption>
        <tbody>
          {shown.map(({ hour, price }) => (
            <tr key={hour}>
              <th scope="row">{hour}:00</th>
              <td>
                <Money amount={price} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length > 0 && (
        <dl className="grid grid-cols-2 gap-2 border-t border-line pt-3">
          <div>
            <dt className="text-small text-ink-2">{text('networkBuild:cheapest')}</dt>
            <dd>
              <Money amount={kopecks(least)} className="text-card font-extrabold" />
            </dd>
          </div>
          <div>
            <dt className="text-small text-ink-2">{text('networkBuild:dearest')}</dt>
            <dd>
              <Money amount={kopecks(most)} className="text-card font-extrabold" />
            </dd>
          </div>
        </dl>
      )}
    </Card>
  );
}
