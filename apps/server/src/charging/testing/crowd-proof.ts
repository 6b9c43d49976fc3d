import { expect } from 'vitest';
import { type CrowdOptions, runCrowd } from './crowd.ts';
import { audit } from './crowd-audit.ts';
import { crowdTable } from './crowd-table.ts';

/** A crowd at a network of which a tenth misbehaves, fifteen at least, and a third at most. Returns the table of all outcomes. */
export async function proveCrowd(options: Omit<CrowdOptions, 'misbehaving'>): Promise<string> {
  const { drivers, kills, seed } = options;
  const crowd = await runCrowd({
    ...options,
    misbehaving: Math.max(Math.min(15, Math.floor(drivers / 3)), Math.round(drivers / 10)),
  });
  try {
    await crowd.play();
    const { endings, faults, stories } = await audit(crowd);
    const table = `${crowdTable(endings)}\n${crowd.kills} kills, seed ${seed}`;
    // The list of failed tests shows the first lines of this message.
    expect(faults, [`${faults.length} wrong`, ...faults, table, ...stories].join('\n')).toEqual([]);
    expect(crowd.kills).toBe(kills);
    expect(endings.filter(({ status }) => status === 'finished').length).toBeGreaterThan(drivers / 3);
    return table;
  } finally {
    await crowd.close();
  }
}
