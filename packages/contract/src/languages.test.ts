import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { addressFor, languageOfTag, languageRecords, languages } from './languages.ts';
import { inLanguage } from './translated.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('the languages', () => {
  it('are listed in one place', () => {
    const code = `'(?:${languages.join('|')})'`;
    const list = new RegExp(
      `\\[\\s*${code}(?:,\\s*${code}){2,},?\\s*\\]|${code}(?:\\s*\\|\\s*${code}){2,}|language in \\(`,
    );
    const files = globSync(
      ['{apps,packages}/*/{src,bench,build}/**/*.{ts,tsx}', '{e2e,scripts}/**/*.ts', 'apps/server/schema/*.sql'],
      {
        cwd: root,
        // The sandbox plays a bank with languages of its own.
        exclude: (name) => /node_modules|dist|apps\/sandbox/.test(name),
      },
    );
    expect(files.filter((file) => list.test(readFileSync(`${root}/${file}`, 'utf8')))).toEqual([]);
  });

  it('stand in for another one only when they are complete', () => {
    for (const language of languages) {
      const { standIn } = languageRecords[language];
      if (standIn !== null) expect(languageRecords[standIn as typeof language].standIn, language).toBeNull();
    }
  });
});

test('a reader gets the text of their language, and Ukrainian in one that this version does not know', () => {
  const texts = { uk: 'так', en: 'yes', pl: 'tak' };
  expect(languages.map((language) => inLanguage<string>(texts, language)).slice(0, 3)).toEqual(['так', 'yes', 'tak']);
  expect(inLanguage(texts, 'xx' as 'uk')).toBe('так');
});

test('a station has its local address for Ukrainian readers and the Latin one for others', () => {
  const place = { address: 'Khreshchatyk 1', address_uk: 'Хрещатик, 1' };
  expect([addressFor(place, 'uk'), addressFor(place, 'en')]).toEqual(['Хрещатик, 1', 'Khreshchatyk 1']);
});

test.each([
  ['pl-PL,pl;q=0.9', 'pl'],
  ['EN', 'en'],
  ['xx-XX', 'uk'],
  ['', 'uk'],
])('a first visit with %s is in %s', (tag, language) => {
  expect(languageOfTag(tag)).toBe(language);
});

test('examples of an unknown language or connector are ones that never exist', () => {
  const tests = globSync(['{apps,packages}/*/src/**/*.{test.ts,test.tsx}', 'e2e/tests/*.ts'], { cwd: root });
  const real = new RegExp(`'(?!(?:${languages.join('|')}|xx)-)[a-z]{2}-[A-Z]{2}\\b|type: '(?:mcs|chaoji)'`);
  expect(tests.filter((file) => real.test(readFileSync(`${root}/${file}`, 'utf8')))).toEqual([]);
});
