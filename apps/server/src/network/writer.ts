import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { Step } from '../platform/step.ts';
import { stationTopic } from '../stations/device-states.ts';
import { keyHash, newKey } from './charge-point-key.ts';
import type { ConnectorRecord, NamedTariff, StationRecord } from './station-record.ts';

/** A row that cannot be taken, with what its author needs to know. */
export class RowRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'RowRefused';
  }
}

interface Options {
  now: Date;
  secret: string;
}

/** Writes stations, devices and connectors as files and staff describe them. The same description twice changes nothing. */
export function createNetworkWriter(step: Step, { now, secret }: Options) {
  const { db } = step;

  async function stationId(record: StationRecord): Promise<number> {
    const { number, address, address_uk, lat, lon, party = null, virtual = false } = record;
    if (party !== null) {
      const known = await db.selectFrom('parties').select('id').where('id', '=', party).executeTakeFirst();
      if (!known) throw new RowRefused(`party: there is no party ${party}`);
    }
    const known = await db
      .selectFrom('stations')
      .select(['id', 'is_virtual'])
      .where('number', '=', number)
      .forUpdate()
      .executeTakeFirst();
    if (known && known.is_virtual !== virtual) {
      throw new RowRefused(`virtual: ${number} is ${known.is_virtual ? 'a virtual' : 'no virtual'} station`);
    }
    const values = { address, address_uk, lat, lon, party_id: party };
    if (known) {
      await db.updateTable('stations').set(values).where('id', '=', known.id).execute();
      return known.id;
    }
    const added = await db
      .insertInto('stations')
      .values({ number, ...values, is_virtual: virtual, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    return added.id;
  }

  async function chargePointId(identity: string): Promise<number> {
    const known = await db.selectFrom('charge_points').select('id').where('identity', '=', identity).executeTakeFirst();
    if (known) return known.id;
    // Nobody knows this key; `charge-point password` gives the device one that somebody does.
    return addChargePoint(identity, newKey());
  }

  async function addChargePoint(identity: string, key: Buffer): Promise<number> {
    const { id } = await db
      .insertInto('charge_points')
      .values({ identity, key_hash: keyHash(secret, key), created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async function tariffNamed(name: string): Promise<number | null> {
    const row = await db.selectFrom('tariffs').select('id').where('name', '=', name).executeTakeFirst();
    return row?.id ?? null;
  }

  async function putTariff({ name, price, hours, discount }: NamedTariff): Promise<number> {
    const values = { price, hours: hours && JSON.stringify(hours), discount: discount && JSON.stringify(discount) };
    const { id } = await db
      .insertInto('tariffs')
      .values({ name, ...values })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async function tariffId({ price, tariff }: Pick<ConnectorRecord, 'price' | 'tariff'>): Promise<number> {
    if (tariff !== undefined) {
      const id = await tariffNamed(tariff);
      if (id === null) throw new RowRefused(`tariff: there is no tariff '${tariff}'`);
      return id;
    }
    return fixedTariff(kopecks(price ?? 0));
  }

  async function fixedTariff(price: Kopecks): Promise<number> {
    const name = fixedTariffName(price);
    return (await tariffNamed(name)) ?? putTariff({ name, price, hours: null, discount: null });
  }

  async function putConnector(station: { id: number; number: string }, record: ConnectorRecord): Promise<number> {
    const { charge_point, connector, type, power, has_cable } = record;
    const charge_point_id = await chargePointId(charge_point);
    const values = { type, power_w: power, has_cable, tariff_id: await tariffId(record) };
    const known = await connectorOf(charge_point, connector);
    if (known && known.station_id !== station.id) {
      throw new RowRefused(`connector: number ${connector} of ${charge_point} belongs to ${known.number}`);
    }
    if (known) {
      await db.updateTable('connectors').set(values).where('id', '=', known.id).execute();
      return known.id;
    }
    const added = await db
      .insertInto('connectors')
      .values({ station_id: station.id, charge_point_id, ocpp_connector: connector, ...values })
      .returning('id')
      .executeTakeFirstOrThrow();
    return added.id;
  }

  async function connectorOf(identity: string, connector: number) {
    return db
      .selectFrom('connectors')
      .innerJoin('charge_points', 'charge_points.id', 'connectors.charge_point_id')
      .innerJoin('stations', 'stations.id', 'connectors.station_id')
      .select(['connectors.id', 'connectors.station_id', 'stations.number'])
      .where('charge_points.identity', '=', identity)
      .where('connectors.ocpp_connector', '=', connector)
      .executeTakeFirst();
  }

  async function list(virtualId: number, identity: string, connector: number): Promise<void> {
    const found = await connectorOf(identity, connector);
    if (!found) throw new RowRefused(`connector: there is no number ${connector} of ${identity}`);
    await db
      .insertInto('virtual_station_connectors')
      .values((of) => ({
        station_id: virtualId,
        connector_id: found.id,
        position: of
          .selectFrom('virtual_station_connectors')
          .select((last) => last.fn.coalesce(last(last.fn.max('position'), '+', 1), last.lit(0)).as('next'))
          .where('station_id', '=', virtualId),
      }))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async function putLink(id: number, code: string): Promise<void> {
    await db
      .insertInto('links')
      .values({ code, station_id: id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { station_id } = await db
      .selectFrom('links')
      .select('station_id')
      .where('code', '=', code)
      .executeTakeFirstOrThrow();
    if (station_id !== id) throw new RowRefused(`link: ${code} belongs to another station`);
  }

  return {
    putTariff,
    addChargePoint,
    putConnector,

    async putStation(record: StationRecord): Promise<number> {
      const id = await stationId(record);
      if (record.virtual) {
        for (const { charge_point, connector } of record.connectors) await list(id, charge_point, connector);
      } else {
        for (const connector of record.connectors) await putConnector({ id, number: record.number }, connector);
      }
      for (const code of record.links ?? []) await putLink(id, code);
      step.tell(stationTopic, id);
      return id;
    },
  };
}

/** Connectors with one price share a tariff of that name, so that staff see few of them. */
export function fixedTariffName(price: Kopecks): string {
  return `fixed ${(price / 100).toFixed(2)}`;
}
