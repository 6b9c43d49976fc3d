import { readFile, writeFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { parseArgs } from 'node:util';
import { exportNetwork, networkAsCsv } from '../network/export.ts';
import { readCsvFile, readJsonFile } from '../network/file.ts';
import { importNetwork } from '../network/import.ts';
import { withNetwork } from './open-network.ts';
import { run, UsageError } from './run.ts';

const usage = `Usage:
  npm run stations -- import FILE.json|FILE.csv [--all-or-nothing]
  npm run stations -- export [FILE.json|FILE.csv]`;

const byOperator = { staff: null, by: 'command line', subject: { kind: 'network', id: 1 } } as const;
const readers: Record<string, typeof readJsonFile> = { '.json': readJsonFile, '.csv': readCsvFile };

async function importFile(path: string, isAllOrNothing: boolean): Promise<number> {
  const read = readers[extname(path).toLowerCase()];
  if (!read) throw new UsageError(`${path}: must be a .json or .csv file`);
  const file = read(await readFile(path, 'utf8'));
  const result = await withNetwork(process.env, (network) =>
    importNetwork(network, file, {
      isAllOrNothing,
      onWritten: (step, written) =>
        network.audit(step, { ...byOperator, action: 'network.import', after: { file: basename(path), written } }),
    }),
  );
  for (const { line, reason } of result.problems) console.error(`${path}:${line}: ${reason}`);
  console.log(JSON.stringify({ written: result.written, refused: result.problems.length }));
  return result.problems.length === 0 ? 0 : 1;
}

async function exportFile(path: string | undefined): Promise<number> {
  const extension = path === undefined ? '.json' : extname(path).toLowerCase();
  if (!readers[extension]) throw new UsageError(`${path}: must be a .json or .csv file`);
  const network = await withNetwork(process.env, async ({ db, steps, audit }) => {
    await steps.run((step) => audit(step, { ...byOperator, action: 'network.export', after: { format: extension } }));
    return exportNetwork(db);
  });
  const text = extension === '.csv' ? networkAsCsv(network) : `${JSON.stringify(network, null, 2)}\n`;
  if (path === undefined) process.stdout.write(text);
  else {
    await writeFile(path, text);
    console.log(JSON.stringify({ stations: network.stations.length, file: path }));
  }
  return 0;
}

await run(usage, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'all-or-nothing': { type: 'boolean', default: false } },
  });
  const [verb, path, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`${rest.join(' ')}: one file at a time`);
  if (verb === 'import' && path !== undefined) return importFile(path, values['all-or-nothing']);
  if (verb === 'export') return exportFile(path);
  throw new UsageError('No command given');
});
