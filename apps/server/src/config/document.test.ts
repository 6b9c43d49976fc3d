import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parts, withPart } from './document.ts';
import { remedyOf, type SettingName, settings, settingsWith } from './settings.ts';

/** Every file that names a setting agrees with its declaration. */
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);
const required = settingsWith('isRequired');
const secret = new Set<string>(settingsWith('isSecret'));
const isKnown = (name: string) => Object.hasOwn(settings, name);

test.each(parts)('$file has the table of $name as the code declares them; write it with: npm run settings', (part) => {
  const document = read(part.file);
  expect(document).toBe(withPart(document, part));
});

test('the doctor has a remedy for whatever production needs', () => {
  expect(required.filter((name) => remedyOf(name) === undefined)).toEqual([]);
});

/** What compose makes of its own variables. */
const madeByCompose: SettingName[] = ['DATABASE_URL', 'PUBLIC_URL'];
const ofCompose = ['POSTGRES_PASSWORD', 'APP_PASSWORD', 'OWNER_PASSWORD'];

test('the example names all that production needs, and nothing that the product does not know', () => {
  const named = namesIn(read('deploy/env.example'), /^([A-Z_]+)=/gm);
  expect(required.filter((name) => !named.includes(name) && !madeByCompose.includes(name))).toEqual([]);
  expect(named.filter((name) => !isKnown(name) && !ofCompose.includes(name))).toEqual([]);
});

test('the chart keeps secrets in its Secret, and what production needs is in one of the two', () => {
  const values = read('deploy/helm/fpay/values.yaml');
  const plain = namesIn(/^settings:\n((?: {2}.*\n)+)/m.exec(values)?.[1] ?? '', /^ {2}([A-Z_]+): /gm);
  const inSecret = namesIn(/^# A Secret with (.+)\.$/m.exec(values)?.[1] ?? '', /([A-Z_]+)/g);
  expect(plain.length).toBeGreaterThan(2);
  expect([...plain, ...inSecret].filter((name) => !isKnown(name))).toEqual([]);
  expect(plain.filter((name) => secret.has(name))).toEqual([]);
  expect(required.filter((name) => !plain.includes(name) && !inSecret.includes(name))).toEqual([]);
});
