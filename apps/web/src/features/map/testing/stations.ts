import type { ConnectorStatus, ConnectorType } from '@fpay/contract/connectors';
import { kopecks, type Watts } from '@fpay/contract/money';
import type { Chunk, MapChunk, Station } from '@fpay/contract/stations';

function onMap(
  number: string,
  plugs: [ConnectorType, ConnectorStatus][],
  is_online = true,
): MapChunk['stations'][number] {
  const connectors = plugs.map(([type, status]) => ({ type, status }));
  return { number, address: 'Slobozhanskyi Ave, 31', address_uk: 'просп. Слобожанський, 31', is_online, connectors };
}

/** Two places of the map, each with one station. */
export const someChunks: MapChunk[] = [
  { lat: 48.51, lon: 35.06, stations: [onMap('F1403', [['ccstype2', 'free']])] },
  { lat: 48.45, lon: 35.02, stations: [onMap('F1019', [['type2', 'charging']])] },
];

export function aStationInSheet(number: string, statuses: ConnectorStatus[], is_online = true): Station {
  return {
    id: Number(number.slice(1)),
    number,
    address: 'Slobozhanskyi Ave, 31',
    address_uk: 'просп. Слобожанський, 31',
    lat: 48.51,
    lon: 35.06,
    is_online,
    connectors: statuses.map((status, index) => ({
      id: index + 1,
      api_address: String(index + 1),
      charging_station_id: 1,
      type: 'ccstype2',
      status,
      has_cable: index === 0,
      power: 60_000 as Watts,
      price: kopecks(12_90),
      old_price: null,
      discount_string: null,
      progress: null,
      time_left: null,
    })),
  };
}

export function aPlace(...stations: Station[]): Chunk {
  return { address: 'Slobozhanskyi Ave, 31', address_uk: 'просп. Слобожанський, 31', lat: 48.51, lon: 35.06, stations };
}
