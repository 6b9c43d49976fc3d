import type { previewTariff, TariffTerms } from '@fpay/contract/admin/network/tariffs';
import type { ReplyOf } from '@fpay/contract/endpoint';
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

interface PricesProps {
  hours: ReplyOf<typeof previewTariff>;
}

/** What each hour of a chosen day costs under the terms that are being edited. */
export function DayPreview({ terms }: { terms: TariffTerms }) {
  const text = useText();
  const [date, setDate] = useState(() => kyivLocal(new Date()).slice(0, 10));
  const [typed, setTyped] = useState(date);
  const settled = useSettled({ terms, date }, 250);
  const { data: hours } = useQuery(tariffQueries.preview(settled.terms, settled.date));
  const shown = hours ?? [];
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-card">{text('networkTariffs:preview')}</h2>
      <MomentField
        unit="day"
        label={text('networkTariffs:date')}
        value={typed}
        onChange={(next) => {
          setTyped(next);
          setDate(readDay(next) ?? date);
        }}
      />
      <PriceLine hours={shown} />
      <p aria-hidden="true" className="flex justify-between text-small text-ink-2">
        {['00', '06', '12', '18', '24'].map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </p>
      <PriceTable hours={shown} />
      {shown.length > 0 && <Extremes hours={shown} />}
    </Card>
  );
}

/** The price through the day, with the price before a discount above it. */
function PriceLine({ hours }: PricesProps) {
  const top = Math.max(1, ...hours.map(({ price, old_price }) => old_price ?? price));
  const y = (price: number) => 8 + (height - 16) * (1 - price / (top * 1.1));
  const line = hours.map(({ hour, price }) => `${hour * hourWidth},${y(price)} ${(hour + 1) * hourWidth},${y(price)}`);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true" className="w-full">
      {hours.length > 0 && (
        <polygon points={`0,${height} ${line.join(' ')} ${width},${height}`} className="fill-charging-tint" />
      )}
      {hours.flatMap(({ hour, old_price }) =>
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
  );
}

/** The same prices for a screen reader. */
function PriceTable({ hours }: PricesProps) {
  const text = useText();
  return (
    <table className="sr-only">
      <caption>{text('networkTariffs:preview')}</caption>
      <tbody>
        {hours.map(({ hour, price }) => (
          <tr key={hour}>
            <th scope="row">{hour}:00</th>
            <td>
              <Money amount={price} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Extremes({ hours }: PricesProps) {
  const text = useText();
  const prices = hours.map(({ price }) => price);
  return (
    <dl className="grid grid-cols-2 gap-2 border-t border-line pt-3">
      <div>
        <dt className="text-small text-ink-2">{text('networkTariffs:cheapest')}</dt>
        <dd>
          <Money amount={kopecks(Math.min(...prices))} className="text-card font-extrabold" />
        </dd>
      </div>
      <div>
        <dt className="text-small text-ink-2">{text('networkTariffs:dearest')}</dt>
        <dd>
          <Money amount={kopecks(Math.max(...prices))} className="text-card font-extrabold" />
        </dd>
      </div>
    </dl>
  );
}
