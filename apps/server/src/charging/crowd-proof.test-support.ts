import { expect } from 'vitest';
import { type CrowdOptions, runCrowd } from './crowd.test-support.ts';
import { audit, crowdTable } from './crowd-audit.test-support.ts';

interface Proof extends Omit<CrowdOptions, 'misbehaving'> {
  /** How long the kills are spread over, in the world's milliseconds. */
  killsWithinMs: number;
}

/** A crowd at a network of which a tenth misbehaves, in every way at least once. Gives the table of how everybody ended. */
export async function proveCrowd({ killsWithinMs, ...options }: Proof): Promise<string> {
  const { drivers, kills, seed } = options;
  const crowd = await runCrowd({ ...options, misbehaving: Math.max(15, Math.round(drivers / 10)) });
  try {
    await crowd.play(killsWithinMs);
    const { endings, faults, stories } = await audit(crowd);
    const table = `${crowdTable(endings)}\n${crowd.kills} kills, seed ${seed}`;
    expect(faults, [table, ...stories].join('\n')).toEqual([]);
    expect(crowd.kills).toBe(kills);
    expect(endings.filter(({ status }) => status === 'finished').length).toBeGreaterThan(drivers / 3);
    return table;
  } finally {
    await crowd.close();
  }
}
