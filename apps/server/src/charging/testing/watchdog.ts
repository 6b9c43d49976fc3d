import { expect, vi } from 'vitest';
import type { MovedStack } from '../../testing/stack.ts';

/** While no reading comes, the rated power counts: 150 UAH last for half an hour. */
const ratedW = 20_000;
const soon = { timeout: 15_000, interval: 50 };

type Charge = Awaited<ReturnType<MovedStack['startCharge']>>;

/** Running charges for tests of the watchdogs, which let time pass. */
export function createWatchedCharges(stack: MovedStack) {
  return {
    /** A running charge with 100 Wh on the meter, at a station that has been there for an hour. */
    async charging({ deposit = '150', powerW = ratedW } = {}) {
      const station = await stack.addScripted({ powerW });
      stack.ahead({ hours: 1 });
      const fixture = await stack.startChargeAt(station, deposit);
      await fixture.device.meter(1, fixture.transactionId, 1_100, powerW);
      return fixture;
    },
    /** Its charge point is away: its socket is closed, and the minute in which most reconnect has passed. */
    async goesAway({ device, id }: Pick<Charge, 'device' | 'id'>): Promise<void> {
      const point = stack.db
        .selectFrom('operations as o')
        .innerJoin('charge_points as p', 'p.id', 'o.charge_point_id')
        .innerJoin('charge_point_links as l', 'l.charge_point_id', 'p.id')
        .select(['l.node_id', 'p.is_online'])
        .where('o.id', '=', id);
      await device.close();
      await vi.waitFor(async () => expect((await point.executeTakeFirstOrThrow()).node_id).toBeNull(), soon);
      stack.ahead({ minutes: 2 });
      await vi.waitFor(async () => expect((await point.executeTakeFirstOrThrow()).is_online).toBe(false), soon);
    },
    async statusOf(id: number): Promise<string> {
      const row = stack.db.selectFrom('operations').select('status').where('id', '=', id);
      return (await row.executeTakeFirstOrThrow()).status;
    },
    async terminationsOf(id: number): Promise<string[]> {
      const rows = await stack.db.selectFrom('terminations').select('type').where('operation_id', '=', id).execute();
      return rows.map(({ type }) => type);
    },
  };
}
