import { expect, test } from 'vitest';
import { runCrowd } from './crowd.test-support.ts';
import { audit, crowdTable } from './crowd-audit.test-support.ts';

/** A thousand drivers, a tenth of the charge points misbehave, fifty kills; fewer by the environment, to look at one thing. */
const seed = process.env.PROOF_SEED ?? 'crowd';
const drivers = Number(process.env.PROOF_DRIVERS ?? 1_000);
const kills = Number(process.env.PROOF_KILLS ?? 50);
const misbehaving = Math.max(15, Math.round(drivers / 10));

test('a crowd at a network that partly misbehaves, the server killed again and again: whoever can charge pays exactly for the energy, everybody else has all money back, nobody is stuck', async () => {
  const crowd = await runCrowd({ drivers, kills, misbehaving, atOnce: 80, seed });
  try {
    // So that the kills are spread over the whole run.
    await crowd.play(Math.max(20_000, drivers * 300));
    const { endings, faults, stories } = await audit(crowd);
    const table = `${crowdTable(endings)}\n${crowd.kills} kills, seed ${seed}`;
    console.log(table);
    expect(faults, [table, ...stories].join('\n')).toEqual([]);
    expect(crowd.kills).toBe(kills);
    expect(endings.filter(({ status }) => status === 'finished').length).toBeGreaterThan(drivers / 3);
  } finally {
    await crowd.close();
  }
});
