import { isConnectorType } from '@fpay/contract/connectors';
import { kopecks } from '@fpay/contract/money';
import { StationNumber } from '@fpay/contract/stations';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Step, Steps } from '../platform/step.ts';
import { stationTopic } from '../stations/device-states.ts';
import { keyHash, keyText, newKey } from './charge-point-key.ts';
import { type ConnectorRecord, Identity, PowerW } from './station-record.ts';
import { createNetworkWriter, RowRefused } from './writer.ts';

/** What a connector costs whose price nobody named: a tariff of that name, made once and then for staff to change. */
const standardTariff = { name: 'standard', price: kopecks(15_00), hours: null, discount: null };
/** A new station stands in the middle of Dnipro until somebody says where it is. */
const unknownPlace = { lat: 48.4647, lon: 35.0462 };

export interface NewChargePoint {
  identity: string;
  station: string;
  connectors: NewConnector[];
  /** For a station that is new. */
  address?: string | undefined;
  addressUk?: string | undefined;
  lat?: number | undefined;
  lon?: number | undefined;
}

export type NewConnector = Pick<ConnectorRecord, 'type' | 'power' | 'price'>;

export interface AddedChargePoint {
  identity: string;
  /** Shown once; we keep only a hash. */
  password: string;
  station: string;
  connectors: { id: number; api_address: string; type: string; power: number; price: number | null }[];
}

/** `TYPE:WATTS[:KOPECKS]`, as the command line takes it. */
export function readConnector(text: string): NewConnector {
  const [type = '', watts = '', price, ...rest] = text.split(':');
  const isWhole = (part: string) => /^\d{1,7}$/.test(part);
  if (rest.length > 0 || !isWhole(watts) || (price !== undefined && !isWhole(price))) {
    throw new RowRefused(`${text}: must be TYPE:WATTS or TYPE:WATTS:KOPECKS`);
  }
  if (!isConnectorType(type)) throw new RowRefused(`${text}: ${type} is no connector type`);
  const power = PowerW.safeParse(Number(watts));
  if (!power.success) throw new RowRefused(`${text}: ${watts} W is no power of a connector`);
  return { type, power: power.data, ...(price === undefined ? {} : { price: kopecks(Number(price)) }) };
}

interface Dependencies {
  db: Database;
  steps: Steps;
  clock: Clock;
  secret: string;
}

/** Devices of the network: what staff and installers do with them before they ever connect. */
export function createChargePointRegistry({ db, steps, clock, secret }: Dependencies) {
  /** An existing station keeps its place and address; only a new one takes them from here. */
  async function stationFor(step: Step, given: NewChargePoint): Promise<{ id: number; number: string }> {
    const number = given.station;
    const known = await step.db
      .selectFrom('stations')
      .select(['id', 'is_virtual'])
      .where('number', '=', number)
      .executeTakeFirst();
    if (known?.is_virtual) throw new RowRefused(`${number} is a virtual station and has no devices of its own`);
    if (known) return { id: known.id, number };
    const address = given.address ?? number;
    const writer = createNetworkWriter(step, { now: clock.now(), secret });
    const place = { lat: given.lat ?? unknownPlace.lat, lon: given.lon ?? unknownPlace.lon };
    const record = { number, address, address_uk: given.addressUk ?? address, ...place, connectors: [] };
    return { id: await writer.putStation(record), number };
  }

  return {
    async add(given: NewChargePoint): Promise<AddedChargePoint> {
      const { identity, connectors } = given;
      if (!Identity.safeParse(identity).success) throw new RowRefused(`${identity}: is no identity of a charge point`);
      if (!StationNumber.safeParse(given.station).success)
        throw new RowRefused(`${given.station}: must look like F1234`);
      if (connectors.length === 0) throw new RowRefused('a charge point needs at least one connector');
      const key = newKey();
      return steps.run(async (step) => {
        const taken = await step.db
          .selectFrom('charge_points')
          .select('id')
          .where('identity', '=', identity)
          .executeTakeFirst();
        if (taken) throw new RowRefused(`there is already a charge point ${identity}`);
        const writer = createNetworkWriter(step, { now: clock.now(), secret });
        const station = await stationFor(step, given);
        await writer.addChargePoint(identity, key);
        if (connectors.some(({ price }) => price === undefined)) await putStandardTariff(step);
        const ids: number[] = [];
        for (const [index, { type, power, price }] of connectors.entries()) {
          const tariff = price === undefined ? { tariff: standardTariff.name } : { price };
          const record = { charge_point: identity, connector: index + 1, type, power, has_cable: true, ...tariff };
          ids.push(await writer.putConnector(station, record));
        }
        step.tell(stationTopic, station.id);
        const rows = await connectorsOf(step.db).where('connectors.id', 'in', ids).execute();
        return { identity, password: keyText(key), station: station.number, connectors: rows.map(connectorOf) };
      });
    },

    /** A new key; the old one opens nothing from now on. */
    async renewKey(identity: string): Promise<{ identity: string; password: string }> {
      const key = newKey();
      const changed = await db
        .updateTable('charge_points')
        .set({ key_hash: keyHash(secret, key) })
        .where('identity', '=', identity)
        .executeTakeFirst();
      if (changed.numUpdatedRows === 0n) throw new RowRefused(`there is no charge point ${identity}`);
      return { identity, password: keyText(key) };
    },

    async list() {
      const devices = await db.selectFrom('charge_points').selectAll().orderBy('identity').execute();
      const connectors = Map.groupBy(await connectorsOf(db).execute(), ({ charge_point_id }) => charge_point_id);
      return devices.map(({ id, identity, vendor, model, firmware_version, is_online }) => {
        const own = connectors.get(id) ?? [];
        return {
          identity,
          stations: [...new Set(own.map(({ number }) => number))],
          is_online,
          vendor,
          model,
          firmware_version,
          connectors: own.map(connectorOf),
        };
      });
    },
  };

  /** Made at the first use and never overwritten: staff may have changed it. */
  async function putStandardTariff(step: Step): Promise<void> {
    const { name, price } = standardTariff;
    await step.db
      .insertInto('tariffs')
      .values({ name, price })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export type ChargePointRegistry = ReturnType<typeof createChargePointRegistry>;

function connectorsOf(db: Database) {
  return db
    .selectFrom('connectors')
    .innerJoin('stations', 'stations.id', 'connectors.station_id')
    .leftJoin('tariffs', 'tariffs.id', 'connectors.tariff_id')
    .select([
      'connectors.id',
      'connectors.charge_point_id',
      'connectors.ocpp_connector',
      'connectors.type',
      'connectors.power_w',
      'stations.number',
      'tariffs.price',
    ])
    .orderBy('connectors.charge_point_id')
    .orderBy('connectors.ocpp_connector');
}

type ConnectorRow = Awaited<ReturnType<ReturnType<typeof connectorsOf>['execute']>>[number];

function connectorOf({ id, ocpp_connector, type, power_w, price }: ConnectorRow) {
  return { id, api_address: String(ocpp_connector), type, power: power_w, price };
}
