import { readFileSync, writeFileSync } from 'node:fs';
import { parts, withPart } from '../apps/server/src/config/document.ts';

/** Writes the tables of settings into README.md and docs/deploy.md. */
for (const part of parts) {
  const file = new URL(`../${part.file}`, import.meta.url);
  writeFileSync(file, withPart(readFileSync(file, 'utf8'), part));
}
