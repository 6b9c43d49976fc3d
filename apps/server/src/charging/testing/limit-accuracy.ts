import type { Car } from '@fpay/simulator/src/car.ts';
import type { Behaviour } from '@fpay/simulator/src/scenario.ts';
import { startStack } from '../../testing/stack.ts';
import { createTimeline } from '../../testing/timeline.ts';

/** How the power changes near the limit. */
export type PowerShape = 'steady' | 'tapers' | 'swings';

export interface LimitCase {
  powerW: number;
  limitWh: number;
  shapes: readonly PowerShape[];
  /** The interval of readings in seconds; 0 is never, not even on request. By default as we configure. */
  readings?: readonly number[];
}

export interface LimitResult {
  powerW: number;
  limitWh: number;
  shape: PowerShape;
  /** The delay between receiving the stop and executing it, least and most, in seconds. */
  delay: string;
  /** Null when as configured. */
  readings: number | null;
  energyWh: number;
  cause: string | null;
}

/** With this price 50 Wh cost 1 UAH, the least deposit. */
const priceOfKwh = 20_00;
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

/**
 * For any readings: at most what rated power delivers in 5 s and during the command's own delay, or 1%, whichever is
 * more. Without any reading a car that takes less than rated power is stopped early; that is not counted as a fault.
 */
const slowestCommandMs = 3_300;
export const guarded = {
  over: (limitWh: number, powerW: number) =>
    Math.max(limitWh * 0.01, (powerW * (5_000 + slowestCommandMs)) / 3_600_000),
  under: (limitWh: number, readings: number | null) =>
    readings === 0 ? Number.POSITIVE_INFINITY : tolerance.under(limitWh),
};

export function isWithinTolerance({ energyWh, limitWh, powerW, readings, cause }: LimitResult): boolean {
  const past = energyWh - limitWh;
  // A device that sends no readings at all is ended by the watchdog's `silent` rule after 15 minutes, before a limit that takes
  // longer to reach. That is right, because the charge cannot be watched. Any other charge must end at its limit.
  if (cause !== 'limit' && !(cause === 'watchdog' && readings === 0)) return false;
  if (readings === null) return past <= tolerance.over(limitWh) && -past <= tolerance.under(limitWh);
  return past <= guarded.over(limitWh, powerW) && -past <= guarded.under(limitWh, readings);
}

/**
 * The stack runs fast while nothing can happen. Near a limit, and wherever the server has something to do, it runs so
 * slowly that the tolerance is two seconds of real time and an answer within 5 s has more than one.
 */
const leastToleranceMs = 2_000;
const slowestSpeed = 4;
/** The time to the next due action takes at least this much real time. */
const brakingMs = 400;
const fastestSpeed = 300;

/**
 * One power and one limit: a charge point for each shape and delay, with a car at each, all paid for and run to their
 * end.
 */
export async function runToLimit({ powerW, limitWh, shapes, readings }: LimitCase): Promise<LimitResult[]> {
  const isAc = powerW <= 22_000;
  const sampleSeconds = isAc && !readings ? 30 : 10;
  // For a guarded limit the command's own delay is not part of our tolerance.
  const bound = readings ? Math.max(limitWh * 0.01, (powerW * 5_000) / 3_600_000) : tolerance.over(limitWh);
  const slowSpeed = Math.min(slowestSpeed, (bound * 3_600_000) / powerW / leastToleranceMs);
  // The stack has slowed down at the latest one sample before the end.
  const nearMs = readings ? 40_000 : (sampleSeconds + 20) * 1_000;
  const variants = readings
    ? readings.map((every) => ({ every, delayMs: [200, 3_000] as const }))
    : delays.map((delayMs) => ({ every: null, delayMs }));
  const timeline = createTimeline();
  const stack = await startStack({ clock: timeline.server });
  try {
    const { client } = await stack.driver(500_000_00);
    const runs = await Promise.all(
      shapes.flatMap((shape) =>
        variants.map(async ({ every, delayMs }) => {
          const behaviour: Partial<Behaviour> = {
            commandDelayMs: delayMs,
            leastSampleSeconds: sampleSeconds,
            sampleEverySeconds: every,
            swing: shape === 'swings' ? { periodMs: 240_000, leastShare: 0.4 } : null,
          };
          const place = { type: isAc ? 'type2' : 'ccstype2', powerW, price: priceOfKwh } as const;
          const station = await stack.addStation({ ...place, behaviour, clock: timeline.simulator });
          const delay = delayMs.map((ms) => ms / 1_000).join('…');
          return { station, shape, delay, readings: every, id: 0, isOver: false };
        }),
      ),
    );
    for (const run of runs) {
      const connector = run.station.device.connector(1);
      await run.station.device.until(({ isBooted }) => isBooted, 30_000);
      // The server sets it after the boot, because the first reading must already come as often as the later ones.
      await waitFor(() => run.station.device.configuration.number('MeterValueSampleInterval') === sampleSeconds);
      run.station.device.plug(1, { car: carFor(run.shape, powerW, limitWh, connector.isDc) });
    }
    for (const run of runs) {
      await waitFor(async () => (await statusOf(run.station.connector)) === 'Preparing');
      const amount = String((limitWh * priceOfKwh) / 100_000);
      const { body } = await stack.pay(client, { connector: run.station.connector, amount, target: 'uah' });
      run.id = Number(body.page_url.slice(2));
    }
    while (runs.some(({ isOver }) => !isOver)) {
      let nextEndMs = Number.POSITIVE_INFINITY;
      const dueMs = await nextDueMs(runs.map(({ id }) => id)).catch(() => 0);
      for (const run of runs) {
        if (run.isOver) continue;
        const { transaction, meterWh, powerW: nowW } = run.station.device.connector(1);
        if (transaction === null) {
          // A query to a busy database is repeated.
          const { status } = await operation(run.id).catch(() => ({ status: 'unknown' }));
          run.isOver = ['finished', 'failed', 'canceled'].includes(status);
          nextEndMs = 0;
        } else {
          const leftWh = limitWh - (meterWh - transaction.meterStartWh);
          nextEndMs = Math.min(nextEndMs, (leftWh * 3_600_000) / Math.max(nowW, powerW * 0.05));
        }
      }
      const fastSpeed = Math.min(fastestSpeed, Math.max(slowSpeed, Math.min(dueMs, nextEndMs - nearMs) / brakingMs));
      timeline.setSpeed(nextEndMs <= nearMs ? slowSpeed : fastSpeed);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return await Promise.all(
      runs.map(async ({ id, shape, delay, readings: every }) => {
        const { energy_wh, stop_cause } = await operation(id);
        return { powerW, limitWh, shape, delay, readings: every, energyWh: energy_wh, cause: stop_cause };
      }),
    );
  } finally {
    await stack.close();
  }

  async function statusOf(connector: number): Promise<string | null> {
    const query = stack.db.selectFrom('connectors').select('ocpp_status').where('id', '=', connector);
    return (await query.executeTakeFirstOrThrow()).ocpp_status;
  }

  /** The time until the server plans to act on one of these charges. */
  async function nextDueMs(ids: readonly number[]): Promise<number> {
    const rows = await stack.db
      .selectFrom('operations')
      .select(['stop_due_at', 'next_action_at', 'device_cut_at'])
      .where('id', 'in', ids)
      .where('status', '=', 'ongoing')
      .execute();
    const times = rows.flatMap(({ stop_due_at, next_action_at, device_cut_at }) =>
      [stop_due_at, next_action_at, device_cut_at && new Date(device_cut_at.getTime() - 40_000)].flatMap((at) =>
        at === null ? [] : [at.getTime()],
      ),
    );
    return times.length === 0 ? Number.POSITIVE_INFINITY : Math.max(0, Math.min(...times) - timeline.now());
  }

  async function operation(id: number) {
    const query = stack.db.selectFrom('operations').select(['status', 'energy_wh', 'stop_cause']).where('id', '=', id);
    return query.executeTakeFirstOrThrow();
  }
}

/** A car that takes all it is offered, or one whose battery takes less and less near the limit. */
function carFor(shape: PowerShape, powerW: number, limitWh: number, isDc: boolean): Car {
  const batteryWh = Math.max(60_000, limitWh * 1.5);
  const gainedSoc = ((limitWh * 0.93) / batteryWh) * 100;
  const endSoc = shape === 'tapers' ? (isDc ? 92 : 98.5) : isDc ? 74 : 90;
  const car = { model: 'Test car', batteryWh, maxAcW: powerW, maxDcW: powerW, targetSoc: 100 };
  return { ...car, soc: Math.max(1, endSoc - gainedSoc) };
}

async function waitFor(isSo: () => boolean | Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const until = Date.now() + timeoutMs;
  // A query to a busy database is repeated.
  const look = async () => isSo();
  while (!(await look().catch(() => false))) {
    if (Date.now() > until) throw new Error('it did not come about');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export function limitTable(results: readonly LimitResult[]): string {
  const rows = results.map(({ powerW, limitWh, shape, delay, readings, energyWh }) => {
    const off = energyWh - limitWh;
    const over = readings === null ? tolerance.over(limitWh) : guarded.over(limitWh, powerW);
    const bound = off >= 0 ? over : guarded.under(limitWh, readings);
    const share = `${((Math.abs(off) / bound) * 100).toFixed(0)}%`;
    const every = readings === null ? 'as configured' : readings === 0 ? 'none' : `every ${readings} s`;
    return [`${powerW / 1000} kW`, `${limitWh / 1000} kWh`, shape, `${delay} s`, every, `${off} Wh`, share];
  });
  const head = [
    'power',
    'limit',
    'power near the end',
    'stop obeyed after',
    'readings     ',
    'past the limit',
    'of the tolerance',
  ];
  return [head, ...rows]
    .map((cells) => cells.map((cell, at) => cell.padEnd(head[at]?.length ?? 0)).join('  '))
    .join('\n');
}
