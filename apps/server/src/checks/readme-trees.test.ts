import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { providers } from '../payments/bank-terms.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Folders whose files have a line each elsewhere, or none because their names are those of OCPP messages. */
const isOther = (file: string) =>
  /\.(test|proof)\.ts$|^(testing|v16)\//.test(file) || providers.some((bank) => file.startsWith(`${bank}/`));

test.each(['charging', 'ocpp', 'payments'])('the README of %s names each of its files, and no other', (feature) => {
  const readme = readFileSync(`${root}${feature}/README.md`, 'utf8');
  const tree = /```\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const named = new Set([...tree.matchAll(/[\w.-]+\.ts\b/g)].map(([name]) => name));
  const all = globSync('**/*.ts', { cwd: `${root}${feature}` });
  const missing = all.filter((file) => !isOther(file) && !named.has(basename(file)));
  const gone = [...named].filter((name) => !all.some((file) => basename(file) === name));
  expect({ missing, gone }).toEqual({ missing: [], gone: [] });
});
