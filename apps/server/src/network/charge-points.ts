import { RatedPower } from '@fpay/contract/admin/network/stations';
import { isConnectorType } from '@fpay/contract/connectors';
import { kopecks } from '@fpay/contract/money';
import { StationNumber } from '@fpay/contract/stations';
import { keyHash, keyText, newKey } from '../ocpp/connections/charge-point-key.ts';
import { findChargePoint, listChargePoints, setChargePointKey } from '../ocpp/connections/charge-points.ts';
import { createAudit } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Step, Steps } from '../platform/step.ts';
import { createCatalogue, selectCatalogue } from '../stations/catalogue.ts';
import { type ConnectorRecord, Identity } from './station-record.ts';
import { createNetworkWriter, RowRefused } from './writer.ts';

/** The tariff of connectors that are added without a price. It is created once; staff may change it. */
const standardTariff = { name: 'standard', price: kopecks(15_00), hours: null, discount: null, idle: null };
/** A new station without coordinates is placed in the middle of Dnipro until staff set them. */
const unknownPlace = { lat: 48.4647, lon: 35.0462 };

export interface NewChargePoint {
  identity: string;
  station: string;
  connectors: NewConnector[];
  /** For a new station. */
  address?: string | undefined;
  addressUk?: string | undefined;
  lat?: number | undefined;
  lon?: number | undefined;
}

export type NewConnector = Pick<ConnectorRecord, 'type' | 'power' | 'price'>;

export interface AddedChargePoint {
  identity: string;
  /** Shown once; only a hash is stored. */
  password: string;
  station: string;
  connectors: { id: number; api_address: string; type: string; power: number; price: number | null }[];
}

/** `TYPE:WATTS[:KOPECKS]`, the format of the command line. */
export function readConnector(text: string): NewConnector {
  const [type = '', watts = '', price, ...rest] = text.split(':');
  const isWhole = (part: string) => /^\d{1,7}$/.test(part);
  if (rest.length > 0 || !isWhole(watts) || (price !== undefined && !isWhole(price))) {
    throw new RowRefused(`${text}: must be TYPE:WATTS or TYPE:WATTS:KOPECKS`);
  }
  if (!isConnectorType(type)) throw new RowRefused(`${text}: ${type} is no connector type`);
  const power = RatedPower.safeParse(Number(watts));
  if (!power.success) throw new RowRefused(`${text}: ${watts} W is no power of a connector`);
  return { type, power: power.data, ...(price === undefined ? {} : { price: kopecks(Number(price)) }) };
}

/** A charge point in a list. */
export interface ListedChargePoint {
  identity: string;
  stations: string[];
  is_online: boolean;
  needs_certificate: boolean;
  vendor: string | null;
  model: string | null;
  firmware_version: string | null;
  connectors: AddedChargePoint['connectors'];
}

/** The devices of the network for the command line, on record. Throws `RowRefused` with the reason for the command line. */
export interface ChargePointRegistry {
  add(given: NewChargePoint): Promise<AddedChargePoint>;
  /** Creates a new key; the old one is refused from now on. */
  renewKey(identity: string): Promise<{ identity: string; password: string }>;
  list(): Promise<ListedChargePoint[]>;
}

interface Dependencies {
  db: Database;
  steps: Steps;
  clock: Clock;
  secret: string;
}

/** The devices of the network: what staff and installers do before a device first connects. */
export function createChargePointRegistry({ db, steps, clock, secret }: Dependencies): ChargePointRegistry {
  const audit = createAudit(clock);
  const record = (step: Step, action: string, id: number, after: object) =>
    audit(step, { staff: null, by: 'command line', action, subject: { kind: 'charge-point', id }, after });

  /** An existing station keeps its place and address; they are used only for a new one. */
  async function stationFor(step: Step, given: NewChargePoint): Promise<{ id: number; number: string }> {
    const number = given.station;
    const known = await createCatalogue(step).lockStation(number);
    if (known?.is_virtual) throw new RowRefused(`${number} is a virtual station and has no devices of its own`);
    if (known) return { id: known.id, number };
    const address = given.address ?? number;
    const writer = createNetworkWriter(step, { now: clock.now(), secret });
    const place = { lat: given.lat ?? unknownPlace.lat, lon: given.lon ?? unknownPlace.lon };
    const station = { number, address, address_uk: given.addressUk ?? address, ...place, connectors: [] };
    return { id: await writer.putStation(station), number };
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
        const taken = await findChargePoint(step.db, identity);
        if (taken !== null) throw new RowRefused(`there is already a charge point ${identity}`);
        const writer = createNetworkWriter(step, { now: clock.now(), secret });
        const station = await stationFor(step, given);
        const id = await writer.addChargePoint(identity, key);
        if (connectors.some(({ price }) => price === undefined)) {
          // Created at the first use and never overwritten, because staff may have changed it.
          await createCatalogue(step).addTariff(standardTariff.name, standardTariff.price);
        }
        const ids: number[] = [];
        for (const [index, { type, power, price }] of connectors.entries()) {
          const tariff = price === undefined ? { tariff: standardTariff.name } : { price };
          const connector = { charge_point: identity, connector: index + 1, type, power, has_cable: true, ...tariff };
          ids.push(await writer.putConnector(station, connector));
        }
        step.publish('station', station.id);
        await record(step, 'charge-point.add', id, { identity, station: station.number, connectors: ids });
        const rows = await selectCatalogue(step.db).where('connectors.id', 'in', ids).execute();
        return { identity, password: keyText(key), station: station.number, connectors: rows.map(connectorOf) };
      });
    },

    async renewKey(identity: string): Promise<{ identity: string; password: string }> {
      const key = newKey();
      await steps.run(async (step) => {
        const id = await findChargePoint(step.db, identity);
        if (id === null) throw new RowRefused(`there is no charge point ${identity}`);
        await setChargePointKey(step.db, identity, keyHash(secret, key));
        await record(step, 'charge-point.renew-key', id, { identity });
      });
      return { identity, password: keyText(key) };
    },

    async list() {
      const devices = await listChargePoints(db);
      const connectors = Map.groupBy(await selectCatalogue(db).execute(), ({ charge_point_id }) => charge_point_id);
      return devices.map(({ id, identity, vendor, model, firmware_version, is_online, needs_certificate }) => {
        const own = connectors.get(id) ?? [];
        return {
          identity,
          stations: [...new Set(own.map(({ number }) => number))],
          is_online,
          needs_certificate,
          vendor,
          model,
          firmware_version,
          connectors: own.map(connectorOf),
        };
      });
    },
  };
}

type ConnectorRow = Awaited<ReturnType<ReturnType<typeof selectCatalogue>['execute']>>[number];

function connectorOf({ id, ocpp_connector, type, power_w, price }: ConnectorRow) {
  return { id, api_address: String(ocpp_connector), type, power: power_w, price };
}
