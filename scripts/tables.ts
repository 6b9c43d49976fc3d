import { writeFileSync } from 'node:fs';
import { tablesDocument } from '../apps/server/src/testing/tables/document.ts';

/** Writes docs/tables.md from the map of owners and read models. */
writeFileSync(new URL('../docs/tables.md', import.meta.url), tablesDocument());
