import { watts } from '@fpay/contract/money';
import type { Connector, ConnectorState } from '@fpay/contract/stations';
import { connectorStatus } from './connector-status.ts';
import { noProgress, progressOf } from './progress.ts';
import type { StoredConnector } from './store.ts';
import { idleFeeAt, priceAt, readTariff } from './tariff.ts';

/** A connector as pages see it while its state changes. */
export function connectorState(row: StoredConnector): ConnectorState {
  const { percent, secondsLeft } = row.charge ? progressOf(row.charge) : noProgress;
  return {
    id: row.id,
    api_address: String(row.ocppConnector),
    charging_station_id: row.stationId,
    status: connectorStatus(row.facts),
    progress: percent,
    time_left: secondsLeft,
  };
}

/** With its price. */
export function connectorView(row: StoredConnector, at: Date): Connector {
  const tariff = readTariff(row.tariff);
  const { price, oldPrice, discountText } = priceAt(tariff, at);
  return {
    ...connectorState(row),
    type: row.type,
    has_cable: row.hasCable,
    power: watts(row.powerW),
    price,
    old_price: oldPrice,
    discount_string: discountText,
    idle: idleFeeAt(tariff, price),
    ...(row.homeNumber && { station_number: row.homeNumber }),
  };
}
