import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs all benches one after another, or only the named ones: `npm run bench -- money`. Each measures its reference in
 * the same run.
 */
const folder = fileURLToPath(new URL('../apps/server/bench', import.meta.url));
const wanted = process.argv.slice(2);
const benches = globSync('{money,map,memory,gateway,storm,charging,party,backoffice}.ts', { cwd: folder }).sort();
const chosen = benches.filter((file) => wanted.length === 0 || wanted.includes(basename(file, '.ts')));
if (chosen.length === 0)
  console.error(`There is no such bench; there are: ${benches.map((file) => basename(file, '.ts')).join(', ')}`);
let isFine = chosen.length > 0;
for (const file of chosen) {
  console.log(`\n— ${basename(file, '.ts')} —`);
  const { status } = spawnSync(process.execPath, [join(folder, file)], { stdio: 'inherit' });
  isFine &&= status === 0;
}
process.exitCode = isFine ? 0 : 1;
