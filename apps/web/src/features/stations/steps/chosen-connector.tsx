import { connectorTypes } from '@fpay/contract/connectors';
import { addressFor } from '@fpay/contract/languages';
import type { Connector, StationPage } from '@fpay/contract/stations';
import { useLanguage, useText } from '../../../i18n/use-text.ts';
import { Power } from '../../../ui/format/power.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ConnectorIcon } from '../../../ui/picture/connector-icon.tsx';
import { wells } from '../connector-card.tsx';
import { PriceTag } from '../price.tsx';

export interface ChosenProps {
  station: StationPage;
  connector: Connector;
}

/** The chosen connector, shown on every later step. */
export function ChosenConnector({ station, connector }: ChosenProps) {
  const text = useText();
  const language = useLanguage();
  return (
    <Card className="flex items-center gap-3.5 p-3">
      <span className={`grid size-12 shrink-0 place-items-center rounded-control ${wells.ready}`}>
        <ConnectorIcon type={connector.type} withCable={connector.has_cable} size={32} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block text-body">
          <strong className="font-extrabold">{connectorTypes[connector.type].name}</strong>
          <span className="text-ink-2">
            {' '}
            · {text('station:number', { number: connector.api_address })} · <Power power={connector.power} rated />
          </span>
        </span>
        <span className="block truncate text-small text-ink-2">
          {connector.station_number ?? station.number} · {addressFor(station, language)}
        </span>
      </span>
      {/* The step of a free connector says in its title that it is free. */}
      {connector.price > 0 && <PriceTag price={connector.price} oldPrice={null} index={0} />}
    </Card>
  );
}
