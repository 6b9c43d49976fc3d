import { type Kopecks, kopecks } from '@fpay/contract/money';
import { keyHash, newKey } from '../ocpp/connections/charge-point-key.ts';
import { addChargePoint, findChargePoint } from '../ocpp/connections/charge-points.ts';
import { partyExists } from '../party/store.ts';
import type { Step } from '../platform/step.ts';
import { createCatalogue } from '../stations/catalogue.ts';
import { fixedTariffName, type Tariff } from '../stations/tariff.ts';
import { isGenerous, reductionOf } from '../stations/tariff-reduction.ts';
import type { ConnectorRecord, NamedTariff, StationRecord } from './station-record.ts';

/** A row that cannot be written, with a reason for its author. */
export class RowRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'RowRefused';
  }
}

interface Options {
  now: Date;
  secret: string;
  /**
   * Of a staff member, in kopecks: a connector or a tariff does not become so much cheaper here that it needs a second one, because only a
   * change of a tariff can wait for approval. Without it, on the command line, everything is written.
   */
  staffLimit?: number | undefined;
}

/**
 * Writes stations, devices and connectors as files and staff describe them. The same description twice changes nothing.
 */
export function createNetworkWriter(step: Step, { now, secret, staffLimit }: Options) {
  const { db } = step;
  const catalogue = createCatalogue(step);

  async function stationId(record: StationRecord): Promise<number> {
    const { number, address, address_uk, lat, lon, party = null, virtual = false } = record;
    if (party !== null && !(await partyExists(step, party))) {
      throw new RowRefused(`party: there is no party ${party}`);
    }
    const known = await catalogue.lockStation(number);
    if (known && known.is_virtual !== virtual) {
      throw new RowRefused(`virtual: ${number} is ${known.is_virtual ? 'a virtual' : 'no virtual'} station`);
    }
    const values = { address, address_uk, lat, lon, party_id: party };
    if (!known) return catalogue.addStation(number, virtual, values, now);
    if (known.retired_at !== null) throw new RowRefused(`number: ${number} is a retired station`);
    await catalogue.changeStation(known.id, values);
    return known.id;
  }

  async function chargePointId(identity: string): Promise<number> {
    // This key is not shown to anyone; `charge-point password` generates one that is.
    return (await findChargePoint(db, identity)) ?? addWithKey(identity, newKey());
  }

  const addWithKey = (identity: string, key: Buffer): Promise<number> =>
    addChargePoint(step, { identity, keyHash: keyHash(secret, key), now });

  async function tariffId({ price, tariff }: Pick<ConnectorRecord, 'price' | 'tariff'>): Promise<number> {
    if (tariff !== undefined) {
      const id = await catalogue.tariffNamed(tariff);
      if (id === null) throw new RowRefused(`tariff: there is no tariff '${tariff}'`);
      return id;
    }
    return fixedTariff(kopecks(price ?? 0));
  }

  async function fixedTariff(price: Kopecks): Promise<number> {
    const name = fixedTariffName(price);
    const known = await catalogue.tariffNamed(name);
    return known ?? catalogue.putTariff({ name, price, hours: null, discount: null, idle: null });
  }

  function refuseGenerous(field: string, before: Tariff | null, after: Tariff | null): void {
    if (staffLimit === undefined || before === null || after === null) return;
    if (isGenerous(reductionOf(before, after, now), staffLimit))
      throw new RowRefused(
        `${field}: so much cheaper that it needs a second person, who approves a change of its tariff`,
      );
  }

  async function putTariff(tariff: NamedTariff): Promise<number> {
    const known = await catalogue.tariffNamed(tariff.name);
    if (known !== null) refuseGenerous('price', await catalogue.termsOf(known), tariff);
    return catalogue.putTariff(tariff);
  }

  async function putConnector(station: { id: number; number: string }, record: ConnectorRecord): Promise<number> {
    const { charge_point, connector, type, power, has_cable } = record;
    const chargePoint = await chargePointId(charge_point);
    const values = { type, power_w: power, has_cable, tariff_id: await tariffId(record) };
    const known = await catalogue.connectorAt(chargePoint, connector);
    if (known && known.station_id !== station.id && known.removed_at === null) {
      throw new RowRefused(`connector: number ${connector} of ${charge_point} belongs to ${known.number}`);
    }
    if (known && known.tariff_id !== null && known.tariff_id !== values.tariff_id) {
      const field = record.tariff === undefined ? 'price' : 'tariff';
      refuseGenerous(field, await catalogue.termsOf(known.tariff_id), await catalogue.termsOf(values.tariff_id));
    }
    if (!known) {
      return catalogue.addConnector({ station: station.id, chargePoint, ocppConnector: connector }, values);
    }
    await catalogue.changeConnector(known.id, station.id, values);
    return known.id;
  }

  async function list(virtualId: number, identity: string, connector: number): Promise<void> {
    const chargePoint = await findChargePoint(db, identity);
    const found = chargePoint === null ? undefined : await catalogue.connectorAt(chargePoint, connector);
    if (!found) throw new RowRefused(`connector: there is no number ${connector} of ${identity}`);
    await catalogue.listConnector(virtualId, found.id);
  }

  async function putLink(id: number, code: string): Promise<void> {
    if ((await catalogue.putLink(id, code)) !== id) throw new RowRefused(`link: ${code} belongs to another station`);
  }

  return {
    putTariff,
    addChargePoint: addWithKey,
    putConnector,
    listConnector: list,

    async putStation(record: StationRecord): Promise<number> {
      const id = await stationId(record);
      if (record.virtual) {
        for (const { charge_point, connector } of record.connectors) await list(id, charge_point, connector);
      } else {
        for (const connector of record.connectors) await putConnector({ id, number: record.number }, connector);
      }
      for (const code of record.links ?? []) await putLink(id, code);
      step.publish('station', id);
      return id;
    },
  };
}
