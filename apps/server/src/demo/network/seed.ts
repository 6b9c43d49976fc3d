import { createHmac } from 'node:crypto';
import type { ConnectorType } from '@fpay/contract/connectors';
import { keyHash, keyText } from '../../ocpp/connections/charge-point-key.ts';
import type { Step } from '../../platform/step.ts';
import type { DemoScenario } from './devices.ts';
import { type DemoSize, type PlannedStation, planDemoNetwork } from './plan.ts';
import { demoPromotions, mall } from './specials.ts';
import { demoTariffs } from './tariffs.ts';

/** What the simulator needs to simulate one charge point. */
export interface DemoChargePoint {
  identity: string;
  /** As hex digits. */
  password: string;
  /** `id` is the connector's number on the device. */
  connectors: { id: number; type: ConnectorType; powerW: number }[];
  scenario: DemoScenario;
}

export interface DemoNetworkOptions {
  size: DemoSize;
  closedPartyId: number;
  /** The server's secret. */
  secret: string;
  now: Date;
}

/** Writes the demo network once; later calls only return what is there. */
export async function seedDemoNetwork(step: Step, options: DemoNetworkOptions): Promise<DemoChargePoint[]> {
  const plan = planDemoNetwork(options.size);
  const first = plan[0]?.number ?? '';
  const known = await step.db.selectFrom('stations').select('id').where('number', '=', first).executeTakeFirst();
  if (!known) await write(step, plan, options);
  return plan.map(({ identity, connectors, scenario }) => ({
    identity,
    password: keyText(demoKey(options.secret, identity)),
    connectors: connectors.map(({ type, powerW }, index) => ({ id: index + 1, type, powerW })),
    scenario,
  }));
}

/** Derived from the secret, so that every start of the demo knows it without storing it. */
function demoKey(secret: string, identity: string): Buffer {
  return createHmac('sha256', secret).update(`demo-charge-point:${identity}`).digest().subarray(0, 20);
}

type Ids = Awaited<ReturnType<typeof idsBy>>;

async function write(step: Step, plan: PlannedStation[], options: DemoNetworkOptions) {
  const tariffs = await addTariffs(step);
  const stations = await addStations(step, plan, options);
  await addDevices(step, plan, options, { tariffs, stations });
  await addPromotions(step, stations);
  for (const { number } of plan) step.publish('station', stations.of(number));
}

async function addTariffs(step: Step) {
  return idsBy(
    step.db
      .insertInto('tariffs')
      .values(
        Object.entries(demoTariffs).map(([name, { price, hours, discount, idle }]) => ({
          name,
          price,
          hours: hours && JSON.stringify(hours),
          discount: discount && JSON.stringify(discount),
          idle: idle && JSON.stringify(idle),
        })),
      )
      .returning(['id', 'name as key'])
      .execute(),
  );
}

async function addStations(step: Step, plan: PlannedStation[], { closedPartyId, now }: DemoNetworkOptions) {
  return idsBy(
    step.db
      .insertInto('stations')
      .values([
        ...plan.map(({ number, address, addressUk, lat, lon, isClosed }) => ({
          number,
          address,
          address_uk: addressUk,
          lat,
          lon,
          is_virtual: false,
          party_id: isClosed ? closedPartyId : null,
          created_at: now,
        })),
        {
          number: mall.number,
          address: mall.place.address,
          address_uk: mall.place.addressUk,
          lat: mall.place.lat,
          lon: mall.place.lon,
          is_virtual: true,
          party_id: null,
          created_at: now,
        },
      ])
      .returning(['id', 'number as key'])
      .execute(),
  );
}

/** Charge points with their connectors, the shopping centre that lists some of them, and the codes. */
async function addDevices(
  step: Step,
  plan: PlannedStation[],
  { secret, now }: DemoNetworkOptions,
  { tariffs, stations }: { tariffs: Ids; stations: Ids },
) {
  const chargePoints = await idsBy(
    step.db
      .insertInto('charge_points')
      .values(
        plan.map(({ identity }) => ({
          identity,
          key_hash: keyHash(secret, demoKey(secret, identity)),
          created_at: now,
        })),
      )
      .returning(['id', 'identity as key'])
      .execute(),
  );
  const connectors = await step.db
    .insertInto('connectors')
    .values(
      plan.flatMap(({ number, identity, tariff, connectors: planned }) =>
        planned.map(({ type, powerW, hasCable }, index) => ({
          station_id: stations.of(number),
          charge_point_id: chargePoints.of(identity),
          ocpp_connector: index + 1,
          type,
          power_w: powerW,
          has_cable: hasCable,
          tariff_id: tariffs.of(tariff),
        })),
      ),
    )
    .returning(['id', 'station_id'])
    .execute();

  const listed = new Set<number>(mall.lists.map((number) => stations.of(number)));
  await step.db
    .insertInto('virtual_station_connectors')
    .values(
      connectors
        .filter(({ station_id }) => listed.has(station_id))
        .map(({ id }, position) => ({ station_id: stations.of(mall.number), connector_id: id, position })),
    )
    .execute();
  await step.db
    .insertInto('links')
    .values([...plan, mall].map(({ number, link }) => ({ code: link, station_id: stations.of(number) })))
    .execute();
}

async function addPromotions(step: Step, stations: Ids) {
  await step.db
    .insertInto('promotions')
    .values(
      demoPromotions.map(({ code, kind, station, fromDay, toDay, terms }) => ({
        code,
        kind,
        station_id: station === null ? null : stations.of(station),
        from_day: fromDay ?? null,
        to_day: toDay ?? null,
        terms: JSON.stringify(terms ?? {}),
      })),
    )
    .execute();
}

async function idsBy(inserted: Promise<{ id: number; key: string }[]>) {
  const ids = new Map((await inserted).map(({ id, key }) => [key, id]));
  return {
    of(key: string): number {
      const id = ids.get(key);
      if (id === undefined) throw new Error(`The demo's plan names ${key}, which it does not have`);
      return id;
    },
  };
}
