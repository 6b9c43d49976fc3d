import type { StationForm } from '@fpay/contract/admin/network/stations';
import { findChargePoint } from '../ocpp/connections/charge-points.ts';
import type { Audit } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import { createCatalogue } from '../stations/catalogue.ts';
import { connectorsInUse } from '../stations/connector-rows.ts';
import { createNetworkWriter, RowRefused } from './writer.ts';

/** Stations as staff describe them in the back office, on record. A wrong field is refused by its name. */
export interface NetworkStaff {
  /** @refuses invalid_input */
  addStation(staff: number, number: string, isVirtual: boolean, form: StationForm): Promise<void>;
  /** @refuses station_not_found, invalid_input, connector_in_use */
  changeStation(staff: number, number: string, form: StationForm): Promise<void>;
}

interface Dependencies {
  steps: Steps;
  clock: Clock;
  secret: string;
  audit: Audit;
  staffLimit: number;
}

export function createNetworkStaff({ steps, clock, secret, audit, staffLimit }: Dependencies): NetworkStaff {
  const wrong = (field: string, reason: string) => new Refusal('invalid_input', { fields: { [field]: [reason] } });

  /** The reason of a refused row begins with the name of its field. */
  async function under<T>(path: string, fallback: string, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error;
      const [, field = fallback, reason = error.message] = /^(\w+): (.*)$/.exec(error.message) ?? [];
      throw wrong(`${path}${field}`, reason);
    }
  }

  /** A device gets its password when it is registered, so an unknown identity here is a typing error. */
  async function refuseUnknownDevices(step: Step, rows: readonly { charge_point: string }[], name: string) {
    for (const [index, { charge_point }] of rows.entries()) {
      if ((await findChargePoint(step.db, charge_point)) === null) {
        throw wrong(`${name}.${index}.charge_point`, 'There is no such charge point.');
      }
    }
  }

  function refuseRepeated(rows: readonly { charge_point: string; connector: number }[], name: string): void {
    const seen = new Set<string>();
    for (const [index, { charge_point, connector }] of rows.entries()) {
      const key = `${charge_point}:${connector}`;
      if (seen.has(key)) throw wrong(`${name}.${index}.connector`, 'This connector is in the list already.');
      seen.add(key);
    }
  }

  /** Writes the whole form. Connectors that it does not name are removed. */
  async function write(step: Step, number: string, isVirtual: boolean, form: StationForm): Promise<number> {
    const { connectors, listed, party_id, note, opening_hours: openingHours, ...place } = form;
    if (isVirtual && connectors.length > 0)
      throw wrong('connectors', 'A virtual station has no connectors of its own.');
    if (!isVirtual && listed.length > 0) throw wrong('listed', 'Only a virtual station lists connectors of others.');
    refuseRepeated(isVirtual ? listed : connectors, isVirtual ? 'listed' : 'connectors');
    await refuseUnknownDevices(step, connectors, 'connectors');
    await refuseUnknownDevices(step, listed, 'listed');

    const now = clock.now();
    const catalogue = createCatalogue(step);
    const writer = createNetworkWriter(step, { now, secret, staffLimit });
    const record = { number, ...place, ...(party_id !== null && { party: party_id }), connectors: [] };
    const id = await under('', 'number', () =>
      writer.putStation(isVirtual ? { ...record, virtual: true as const } : record),
    );
    await catalogue.describeStation(id, { note, openingHours, changedAt: now });

    if (isVirtual) {
      await catalogue.unlistConnectors(id);
      for (const [index, { charge_point, connector }] of listed.entries()) {
        await under(`listed.${index}.`, 'connector', () => writer.listConnector(id, charge_point, connector));
      }
      return id;
    }
    const kept: number[] = [];
    for (const [index, { price, tariff, ...connector }] of connectors.entries()) {
      const terms = { ...(price !== null && { price }), ...(tariff !== null && { tariff }) };
      kept.push(
        await under(`connectors.${index}.`, 'connector', () =>
          writer.putConnector({ id, number }, { ...connector, ...terms }),
        ),
      );
    }
    await removeOthers(step, id, kept);
    return id;
  }

  async function removeOthers(step: Step, station: number, kept: number[]): Promise<void> {
    const catalogue = createCatalogue(step);
    const gone = (await catalogue.presentConnectors(station)).map(({ id }) => id).filter((id) => !kept.includes(id));
    if ((await connectorsInUse(step.db, gone)).length > 0) throw new Refusal('connector_in_use');
    await catalogue.removeConnectors(gone, clock.now());
  }

  return {
    addStation: (staff, number, isVirtual, form) =>
      steps.run(async (step) => {
        if (await createCatalogue(step).lockStation(number)) throw wrong('number', 'This number is taken.');
        const id = await write(step, number, isVirtual, form);
        const after = { number, is_virtual: isVirtual, ...form };
        await audit(step, { staff, action: 'station.add', subject: { kind: 'station', id }, after });
      }),

    changeStation: (staff, number, form) =>
      steps.run(async (step) => {
        const catalogue = createCatalogue(step);
        const known = await catalogue.lockStation(number);
        if (!known || known.retired_at !== null) throw new Refusal('station_not_found');
        const before = {
          connectors: await catalogue.presentConnectors(known.id),
          ...(await catalogue.station(known.id)),
        };
        const id = await write(step, number, known.is_virtual, form);
        await audit(step, { staff, action: 'station.change', subject: { kind: 'station', id }, before, after: form });
      }),
  };
}
