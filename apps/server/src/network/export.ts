import { listChargePoints } from '../ocpp/connections/charge-points.ts';
import type { Database } from '../platform/database.ts';
import { readCatalogue } from '../stations/catalogue.ts';
import { isFixedPrice, readTariff } from '../stations/tariff.ts';
import { formatCsv } from './csv.ts';
import { csvColumns } from './file.ts';
import type { NamedTariff } from './station-record.ts';

interface ExportedConnector {
  charge_point: string;
  connector: number;
  type: string;
  power: number;
  has_cable: boolean;
  price?: number;
  tariff?: string;
}

interface ExportedStation {
  number: string;
  address: string;
  address_uk: string;
  lat: number;
  lon: number;
  party?: number;
  virtual?: true;
  links?: string[];
  connectors: ExportedConnector[] | Pick<ExportedConnector, 'charge_point' | 'connector'>[];
}

export interface ExportedNetwork {
  /** Tariffs that are more than one fixed price. */
  tariffs: NamedTariff[];
  stations: ExportedStation[];
}

/** The whole network in the format of `import`, without the keys of devices. */
export async function exportNetwork(db: Database): Promise<ExportedNetwork> {
  const catalogue = await readCatalogue(db);
  const tariffs = catalogue.tariffs.map(({ id, name, ...stored }) => ({ id, name, ...readTariff(stored) }));
  const isPlain = ({ name, ...tariff }: NamedTariff) => isFixedPrice(name, tariff);
  const priceOf = new Map(
    tariffs.map((tariff) => [tariff.id, isPlain(tariff) ? { price: tariff.price } : { tariff: tariff.name }]),
  );
  const { stations, listed, links } = catalogue;
  const byDevice = Map.groupBy(catalogue.connectors, ({ charge_point_id }) => charge_point_id);
  const connectors = (await listChargePoints(db)).flatMap(({ id, identity }) =>
    (byDevice.get(id) ?? []).map((connector) => ({ ...connector, identity })),
  );

  const byId = new Map(connectors.map((connector) => [connector.id, connector]));
  const ownOf = Map.groupBy(connectors, ({ station_id }) => station_id);
  const listedBy = Map.groupBy(listed, ({ station_id }) => station_id);
  const linksOf = Map.groupBy(links, ({ station_id }) => station_id);

  return {
    tariffs: tariffs.filter((tariff) => !isPlain(tariff)).map(({ id: _, ...tariff }) => tariff),
    stations: stations.map((station) => ({
      number: station.number,
      address: station.address,
      address_uk: station.address_uk,
      lat: station.lat,
      lon: station.lon,
      ...(station.party_id === null ? {} : { party: station.party_id }),
      ...(station.is_virtual ? { virtual: true } : {}),
      ...(linksOf.has(station.id) ? { links: linksOf.get(station.id)?.map(({ code }) => code) ?? [] } : {}),
      connectors: station.is_virtual
        ? (listedBy.get(station.id) ?? []).flatMap(({ connector_id }) => {
            const connector = byId.get(connector_id);
            return connector ? [{ charge_point: connector.identity, connector: connector.ocpp_connector }] : [];
          })
        : (ownOf.get(station.id) ?? []).map((connector) => ({
            charge_point: connector.identity,
            connector: connector.ocpp_connector,
            type: connector.type,
            power: connector.power_w,
            has_cable: connector.has_cable,
            ...(connector.tariff_id === null ? {} : priceOf.get(connector.tariff_id)),
          })),
    })),
  };
}

/** CSV has one link per row and no tariffs. It is for viewing and for prices; JSON is for moving a network. */
export function networkAsCsv({ stations }: ExportedNetwork): string {
  const rows = stations.flatMap(({ connectors, links = [], ...station }) => {
    const count = Math.max(1, connectors.length, links.length);
    return Array.from({ length: count }, (_, index) => {
      const cells: Partial<Record<string, string | number | boolean>> = {
        ...station,
        ...connectors[index],
        link: links[index] ?? '',
      };
      return csvColumns.map((column) => cells[column] ?? null);
    });
  });
  return formatCsv([csvColumns, ...rows]);
}
