import { expect, test } from 'vitest';
import { sliceOf } from '../../testing/slice.ts';
import {
  isWithinTolerance,
  type LimitCase,
  type LimitResult,
  limitTable,
  runToLimit,
} from '../testing/limit-accuracy.ts';

/** `npm run proof` measures the whole table; with `TEST_ALL=1` each power is tried once, otherwise the commit chooses one of them. */
const isProof = process.env.PROOF === 'full';
const shapes = ['steady', 'tapers', 'swings'] as const;
/** The environment can select fewer powers, in kilowatts. */
const powersOf = (usual: string) => (process.env.PROOF_POWERS ?? usual).split(',').map((kw) => Number(kw) * 1_000);
const cases: readonly LimitCase[] = isProof
  ? [5_000, 10_000, 20_000, 40_000, 60_000].flatMap((limitWh) =>
      powersOf('7,22,60,150').map((powerW) => ({ powerW, limitWh, shapes })),
    )
  : sliceOf<LimitCase>(
      'limit accuracy',
      [
        { powerW: 7_000, limitWh: 5_000, shapes: ['tapers'] },
        { powerW: 22_000, limitWh: 10_000, shapes: ['swings'] },
        { powerW: 60_000, limitWh: 20_000, shapes: ['tapers'] },
        { powerW: 150_000, limitWh: 60_000, shapes: ['swings'] },
      ],
      0.25,
    );

const readings = [10, 60, 0];
/** A day at 3.7 kW is left to `limit-guard.test.ts`, which uses no real time. */
const longestHours = 5;
const guardedCases: readonly LimitCase[] = isProof
  ? [50, 500, 5_000, 20_000, 100_000].flatMap((limitWh) =>
      powersOf('3.7,22,150,350')
        .filter((powerW) => limitWh / powerW <= longestHours)
        .map((powerW) => ({ powerW, limitWh, shapes: ['steady'] as const, readings })),
    )
  : sliceOf<LimitCase>(
      'limit with few readings',
      [
        { powerW: 3_700, limitWh: 50, shapes: ['steady'], readings: [60, 0] },
        ...readings.map((interval) => ({
          powerW: 350_000,
          limitWh: 2_000,
          shapes: ['steady'] as const,
          readings: [interval],
        })),
      ],
      0.5,
    );

async function run(queue: LimitCase[]): Promise<LimitResult[]> {
  const results: LimitResult[] = [];
  // As many stacks at once as two cores can run without delays of their own.
  await Promise.all(
    Array.from({ length: isProof ? 2 : 4 }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) results.push(...(await runToLimit(next)));
    }),
  );
  results.sort((a, b) => a.powerW - b.powerW || a.limitWh - b.limitWh);
  if (isProof) console.log(limitTable(results));
  return results;
}

test('a charge that the watchdog ended is within the tolerance only when its device sent no readings at all', () => {
  const ended = { powerW: 22_000, limitWh: 20_000, shape: 'steady', delay: '', energyWh: 20_000 } as const;
  const judge = (cause: string | null, readings: number | null) => isWithinTolerance({ ...ended, cause, readings });
  expect([judge('watchdog', 0), judge('watchdog', 10), judge('watchdog', null)]).toEqual([true, false, false]);
  expect([judge('limit', 0), judge('limit', null), judge('driver', 0), judge(null, 0)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test(
  'the stop is predicted from the power: at 7, 22, 60 and 150 kW, with power that ramps, tapers and swings and commands late by 0.2 to 3 s, no limit is exceeded by over 1% or 100 Wh nor missed by over 2% or 150 Wh [PAY-24]',
  async () => {
    const results = await run([...cases]);
    expect(
      results.filter((result) => !isWithinTolerance(result)),
      limitTable(results),
    ).toEqual([]);
    expect(results).toHaveLength(cases.reduce((sum, one) => sum + one.shapes.length * 3, 0));
  },
  isProof ? 3_600_000 : 420_000,
);

test(
  'with readings every 10 s, every 60 s or none, no limit from 0.05 to 100 kWh at 3.7 to 350 kW is exceeded by more than rated power delivers in 5 s and during the command, or 1%',
  async () => {
    const results = await run([...guardedCases]);
    expect(
      results.filter((result) => !isWithinTolerance(result)),
      limitTable(results),
    ).toEqual([]);
    expect(results).toHaveLength(guardedCases.reduce((sum, one) => sum + (one.readings?.length ?? 0), 0));
  },
  isProof ? 3_600_000 : 180_000,
);
