import { kopecks } from '@fpay/contract/money';
import type { Database } from '../platform/database.ts';
import { readTariff } from '../stations/tariff.ts';
import { formatCsv } from './csv.ts';
import { csvColumns } from './file.ts';
import type { NamedTariff } from './station-record.ts';
import { fixedTariffName } from './writer.ts';

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
  /** Those that are more than one fixed price. */
  tariffs: NamedTariff[];
  stations: ExportedStation[];
}

/** The whole network as `import` takes it back; keys of devices stay here. */
export async function exportNetwork(db: Database): Promise<ExportedNetwork> {
  const tariffs = (await db.selectFrom('tariffs').selectAll().orderBy('name').execute()).map(
    ({ id, name, ...stored }) => ({ id, name, ...readTariff(stored) }),
  );
  const isPlain = ({ name, price, hours, discount }: NamedTariff) =>
    hours === null && discount === null && name === fixedTariffName(kopecks(price));
  const priceOf = new Map(
    tariffs.map((tariff) => [tariff.id, isPlain(tariff) ? { price: tariff.price } : { tariff: tariff.name }]),
  );
  const stations = await db.selectFrom('stations').selectAll().orderBy('number').execute();
  const connectors = await db
    .selectFrom('connectors')
    .innerJoin('charge_points', 'charge_points.id', 'connectors.charge_point_id')
    .selectAll('connectors')
    .select('charge_points.identity')
    .orderBy('charge_points.identity')
    .orderBy('connectors.ocpp_connector')
    .execute();
  const listed = await db.selectFrom('virtual_station_connectors').selectAll().orderBy('position').execute();
  const links = await db.selectFrom('links').selectAll().orderBy('code').execute();

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

/** A table has room for one link per row and none for tariffs: it is for looking and for prices, JSON for moving house. */
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
