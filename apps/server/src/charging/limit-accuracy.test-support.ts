import type { Car } from '@fpay/simulator/src/car.ts';
import type { Behaviour } from '@fpay/simulator/src/scenario.ts';
import { createTimeline } from '../testing/timeline.ts';
import { startWorld } from '../testing/world.ts';

/** What the power does while the limit comes near. */
export type Shape = 'steady' | 'tapers' | 'swings';

export interface LimitCase {
  powerW: number;
  limitWh: number;
  shapes: readonly Shape[];
}

export interface LimitResult {
  powerW: number;
  limitWh: number;
  shape: Shape;
  /** Between hearing the stop and obeying it, at least and at most, seconds. */
  delay: string;
  energyWh: number;
  cause: string | null;
}

const priceOfKwh = 10_00;
const delays: readonly (readonly [number, number])[] = [
  [200, 200],
  [200, 3_000],
  [3_000, 3_000],
];

/** At most 1% or 100 Wh too much, at most 2% or 150 Wh too little, whichever is more. */
export const tolerance = {
  over: (limitWh: number) => Math.max(limitWh * 0.01, 100),
  under: (limitWh: number) => Math.max(limitWh * 0.02, 150),
};

/** The world runs fast while nothing can happen and, near a limit, so slowly that the tolerance is two seconds of real time. */
const leastToleranceMs = 2_000;
const fastestSpeed = 300;

/** One power and one limit: a charge point for each shape and delay, a car at each, all paid for and run to their end. */
export async function runToLimit({ powerW, limitWh, shapes }: LimitCase): Promise<LimitResult[]> {
  const isAc = powerW <= 22_000;
  const sampleSeconds = isAc ? 30 : 10;
  const slowSpeed = (tolerance.over(limitWh) * 3_600_000) / powerW / leastToleranceMs;
  // Four samples before the end at the latest the world has slowed down.
  const nearMs = (sampleSeconds * 4 + 20) * 1_000;
  const timeline = createTimeline();
  const world = await startWorld({ clock: timeline.server });
  try {
    const { client } = await world.driver(500_000_00);
    const runs = await Promise.all(
      shapes.flatMap((shape) =>
        delays.map(async (commandDelayMs) => {
          const behaviour: Partial<Behaviour> = {
            commandDelayMs,
            leastSampleSeconds: sampleSeconds,
            swing: shape === 'swings' ? { periodMs: 240_000, leastShare: 0.4 } : null,
          };
          const place = { type: isAc ? 'type2' : 'ccstype2', powerW, price: priceOfKwh } as const;
          const station = await world.addStation({ ...place, behaviour, clock: timeline.simulator });
          return { station, shape, delay: commandDelayMs.map((ms) => ms / 1_000).join('…'), id: 0, isOver: false };
        }),
      ),
    );
    for (const run of runs) {
      const connector = run.station.device.connector(1);
      await run.station.device.until(({ isBooted }) => isBooted, 30_000);
      // Set by the central system after the boot: the first reading must already come as often as the later ones.
      await waitFor(() => run.station.device.configuration.number('MeterValueSampleInterval') === sampleSeconds);
      run.station.device.plug(1, { car: carFor(run.shape, powerW, limitWh, connector.isDc) });
    }
    for (const run of runs) {
      await waitFor(async () => (await statusOf(run.station.connector)) === 'Preparing');
      const amount = String(limitWh / 1_000);
      const { body } = await world.pay(client, { connector: run.station.connector, amount, target: 'kwh' });
      run.id = Number(body.page_url.slice(2));
    }
    while (runs.some(({ isOver }) => !isOver)) {
      let nextEndMs = Number.POSITIVE_INFINITY;
      for (const run of runs) {
        if (run.isOver) continue;
        const { transaction, meterWh, powerW: nowW } = run.station.device.connector(1);
        if (transaction === null) {
          // A database too busy to answer is asked again.
          const { status } = await operation(run.id).catch(() => ({ status: 'unknown' }));
          run.isOver = ['finished', 'failed', 'canceled'].includes(status);
          nextEndMs = 0;
        } else {
          const leftWh = limitWh - (meterWh - transaction.meterStartWh);
          nextEndMs = Math.min(nextEndMs, (leftWh * 3_600_000) / Math.max(nowW, powerW * 0.05));
        }
      }
      timeline.setSpeed(nextEndMs <= nearMs ? slowSpeed : Math.min(fastestSpeed, slowSpeed * 100));
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    return await Promise.all(
      runs.map(async ({ id, shape, delay }) => {
        const { energy_wh, stop_cause } = await operation(id);
        return { powerW, limitWh, shape, delay, energyWh: energy_wh, cause: stop_cause };
      }),
    );
  } finally {
    await world.close();
  }

  async function statusOf(connector: number): Promise<string | null> {
    const query = world.db.selectFrom('connectors').select('ocpp_status').where('id', '=', connector);
    return (await query.executeTakeFirstOrThrow()).ocpp_status;
  }

  async function operation(id: number) {
    const query = world.db.selectFrom('operations').select(['status', 'energy_wh', 'stop_cause']).where('id', '=', id);
    return query.executeTakeFirstOrThrow();
  }
}

/** A car that takes all it is offered, or one whose battery asks for less and less as the limit comes near. */
function carFor(shape: Shape, powerW: number, limitWh: number, isDc: boolean): Car {
  const batteryWh = Math.max(60_000, limitWh * 1.5);
  const gainedSoc = ((limitWh * 0.93) / batteryWh) * 100;
  const endSoc = shape === 'tapers' ? (isDc ? 92 : 98.5) : isDc ? 74 : 90;
  const car = { model: 'Test car', batteryWh, maxAcW: powerW, maxDcW: powerW, targetSoc: 100 };
  return { ...car, soc: Math.max(1, endSoc - gainedSoc) };
}

async function waitFor(isSo: () => boolean | Promise<boolean>, patienceMs = 60_000): Promise<void> {
  const until = Date.now() + patienceMs;
  // A database too busy to answer is asked again.
  const look = async () => isSo();
  while (!(await look().catch(() => false))) {
    if (Date.now() > until) throw new Error('it did not come about');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export function limitTable(results: readonly LimitResult[]): string {
  const rows = results.map(({ powerW, limitWh, shape, delay, energyWh }) => {
    const off = energyWh - limitWh;
    const bound = off >= 0 ? tolerance.over(limitWh) : tolerance.under(limitWh);
    const share = `${((Math.abs(off) / bound) * 100).toFixed(0)}%`;
    return [`${powerW / 1000} kW`, `${limitWh / 1000} kWh`, shape, `${delay} s`, `${off} Wh`, share];
  });
  const head = ['power', 'limit', 'power near the end', 'stop obeyed after', 'past the limit', 'of the tolerance'];
  return [head, ...rows]
    .map((cells) => cells.map((cell, at) => cell.padEnd(head[at]?.length ?? 0)).join('  '))
    .join('\n');
}
