import { expect, test } from 'vitest';
import { outageTable, runOutages } from './testing/outage.ts';

/** `npm run proof -- outage`. The environment sets other numbers, to examine one thing. */
const kills = Number(process.env.PROOF_KILLS ?? 17);
const chargersOfEachKind = Number(process.env.PROOF_CHARGERS ?? 5);
const seed = process.env.PROOF_SEED ?? 'outage';

test(`the server is killed ${kills} times, every 20 to 30 s, while ${2 * chargersOfEachKind} chargers charge in real time: after no kill does a charger give more past the limit than rated power in the time without its socket and 3 s`, async () => {
  const results = await runOutages({ chargersOfEachKind, kills, everyMs: [20_000, 30_000], seed });
  const table = outageTable(results);
  console.log(table);
  expect(
    results.filter(({ pastLimitWh, boundWh }) => pastLimitWh > boundWh),
    table,
  ).toEqual([]);
  expect(results.filter(({ pastLimitWh }) => pastLimitWh > 0).length).toBeGreaterThan(0);
});
