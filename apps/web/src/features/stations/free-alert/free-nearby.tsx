import { connectorTypes } from '@fpay/contract/connectors';
import type { FreeConnector } from '@fpay/contract/free-connector';
import { addressFor } from '@fpay/contract/languages';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { formatMoney } from '../../../ui/format/money.tsx';
import { formatNumber, gap } from '../../../ui/format/number-format.ts';
import { List, ListItem } from '../../../ui/layout/list.tsx';
import { ConnectorIcon } from '../../../ui/picture/connector-icon.tsx';

/** The nearest connectors that are free now, each with its distance and price. */
export function FreeNearby({ free, title }: { free: readonly FreeConnector[]; title: string }) {
  const text = useText();
  const language = useLanguage();
  if (free.length === 0) return null;
  return (
    <section className="flex w-full flex-col gap-2 text-left">
      <h2 className="text-card">{title}</h2>
      <List label={title}>
        {free.map(({ number, api_address, type, address, address_uk, price, distance }) => (
          <ListItem
            key={number}
            to={`/station/${number}`}
            icon={<ConnectorIcon type={type} size={26} />}
            wellClassName="bg-free-tint text-free"
            title={
              <>
                {number} ·{' '}
                <span className="whitespace-nowrap">
                  {connectorTypes[type].name} {text('station:number', { number: api_address })}
                </span>
              </>
            }
            subtitle={addressFor({ address, address_uk }, language)}
            trailing={
              <span className="text-right">
                <span className="tabular block whitespace-nowrap">{distanceText(distance)}</span>
                <span className="block text-small whitespace-nowrap text-free">
                  {price === 0 ? text('station:freeOfCharge') : formatMoney(price, {}, language)}
                </span>
              </span>
            }
          />
        ))}
      </List>
    </section>
  );

  function distanceText(metres: number): string {
    if (metres < 1000) return `${Math.round(metres / 10) * 10}${gap}${text('payment:metres')}`;
    return `${formatNumber(metres / 1000, { least: 1, most: 1 }, language)}${gap}${text('payment:kilometres')}`;
  }
}
