import { writeFileSync } from 'node:fs';
import { apiPage } from '../apps/server/src/testing/api-page.ts';

/** Writes docs/api.md from the contract. */
writeFileSync(new URL('../docs/api.md', import.meta.url), apiPage());
