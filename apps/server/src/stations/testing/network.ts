import type { OperationStatus } from '@fpay/contract/charging';
import type { ConnectorType } from '@fpay/contract/connectors';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Step, Steps } from '../../platform/step.ts';

export interface StationFixture {
  number: string;
  lat?: number;
  lon?: number;
  partyId?: number;
  isOnline?: boolean;
  connectors?: { type?: ConnectorType | string; status?: string | null; price?: number | null; powerW?: number }[];
}

/** Users, parties and stations for tests, written directly into the tables. */
export function networkFixture(db: Database, steps: Steps, clock: Clock) {
  let count = 0;

  async function tariff(step: Step, price: number | null): Promise<number | null> {
    if (price === null) return null;
    const row = await step.db
      .insertInto('tariffs')
      .values({ name: `test ${price}`, price })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ price }))
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  }

  return {
    async user(partyId: number | null = null): Promise<number> {
      count += 1;
      const { id } = await db
        .insertInto('users')
        .values({ name: `User ${count}`, phone_number: `+38050${count}`, created_at: clock.now() })
        .returning('id')
        .executeTakeFirstOrThrow();
      if (partyId !== null) {
        const membership = { user_id: id, party_id: partyId, joined_at: clock.now() };
        await db.insertInto('party_members').values(membership).execute();
      }
      return id;
    },

    async party(isClosed: boolean): Promise<number> {
      const owner_id = await this.user();
      const { id } = await db
        .insertInto('parties')
        .values({ name: 'A party', owner_id, is_closed: isClosed, created_at: clock.now() })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    /** One charge point with its connectors, by default online and free. */
    station({ number, lat = 48.4647, lon = 35.0462, partyId, isOnline = true, connectors = [{}] }: StationFixture) {
      return steps.run(async (step) => {
        const station = await step.db
          .insertInto('stations')
          .values({
            number,
            address: `${number} St, 1, Dnipro`,
            address_uk: `вул. ${number}, 1, Дніпро`,
            lat,
            lon,
            party_id: partyId ?? null,
            created_at: clock.now(),
          })
          .returning(['id', 'chunk'])
          .executeTakeFirstOrThrow();
        const chargePoint = await step.db
          .insertInto('charge_points')
          .values({
            identity: `CP-${number}`,
            key_hash: Buffer.alloc(32),
            is_online: isOnline,
            created_at: clock.now(),
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        const connectorIds: number[] = [];
        for (const [index, connector] of connectors.entries()) {
          const row = await step.db
            .insertInto('connectors')
            .values({
              station_id: station.id,
              charge_point_id: chargePoint.id,
              ocpp_connector: index + 1,
              // Some tests give a type that does not exist.
              type: (connector.type ?? 'ccstype2') as ConnectorType,
              power_w: connector.powerW ?? 60_000,
              tariff_id: await tariff(step, connector.price === undefined ? 15_00 : connector.price),
              ocpp_status: connector.status === undefined ? 'Available' : connector.status,
            })
            .returning('id')
            .executeTakeFirstOrThrow();
          connectorIds.push(row.id);
        }
        step.publish('station', station.id);
        return { id: station.id, chunk: station.chunk, number, chargePointId: chargePoint.id, connectorIds };
      });
    },

    async virtualStation(number: string, connectorIds: number[], partyId: number | null = null): Promise<number> {
      const { id } = await db
        .insertInto('stations')
        .values({
          number,
          address: `${number} Mall`,
          address_uk: `ТРЦ ${number}`,
          lat: 48.4647,
          lon: 35.0462,
          is_virtual: true,
          party_id: partyId,
          created_at: clock.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db
        .insertInto('virtual_station_connectors')
        .values(connectorIds.map((connector_id, position) => ({ station_id: id, connector_id, position })))
        .execute();
      return id;
    },

    async link(code: string, stationId: number): Promise<void> {
      await db.insertInto('links').values({ code, station_id: stationId }).execute();
    },

    /** An open operation on the connector, with the fields that stations read. */
    async operation(
      connectorId: number,
      more: { status: OperationStatus; energyWh?: number; limitWh?: number; powerW?: number; soc?: number },
    ) {
      const connector = await db
        .selectFrom('connectors')
        .select(['station_id', 'charge_point_id'])
        .where('id', '=', connectorId)
        .executeTakeFirstOrThrow();
      const { id } = await db
        .insertInto('operations')
        .values({
          user_id: await this.user(),
          station_id: connector.station_id,
          connector_id: connectorId,
          charge_point_id: connector.charge_point_id,
          status: more.status,
          payment_type: 'bank',
          target: 'kwh',
          price: 15_00,
          deposit: 300_00,
          energy_limit_wh: more.limitWh ?? null,
          id_tag: `TAG${connectorId}`,
          energy_wh: more.energyWh ?? 0,
          power_w: more.powerW ?? null,
          soc: more.soc ?? null,
          created_at: clock.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },
  };
}
