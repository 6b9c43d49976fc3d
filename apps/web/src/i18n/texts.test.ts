// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages } from '@fpay/contract/languages';
import type { Language } from '@fpay/contract/person';
import { refusals } from '@fpay/contract/refusals';
import { describe, expect, it } from 'vitest';

type Words = Record<string, string>;

/** In the form that the page loads: a file for each namespace. */
function textsIn(language: Language): Record<string, Words> {
  const folder = join(import.meta.dirname, 'texts', language);
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return Object.fromEntries(
    files.map((file) => [file.replace('.json', ''), JSON.parse(readFileSync(join(folder, file), 'utf8')) as Words]),
  );
}

const texts = Object.fromEntries(languages.map((language) => [language, textsIn(language)])) as Record<
  Language,
  Record<string, Words>
>;
const pluralForm = /_(zero|one|two|few|many|other)$/;
const sourceFolder = join(import.meta.dirname, '..');

const known = new Map(languages.map((language) => [language, readEntries(language)]));
const entriesOf = (language: Language) => known.get(language) ?? new Map<string, Map<string, string>>();

/** `generic:ok` → every text under it: one, or one per plural form. */
function readEntries(language: Language): Map<string, Map<string, string>> {
  const entries = new Map<string, Map<string, string>>();
  for (const [namespace, words] of Object.entries(texts[language])) {
    for (const [key, value] of Object.entries(words)) {
      const form = pluralForm.exec(key)?.[1] ?? '';
      const name = `${namespace}:${key.replace(pluralForm, '')}`;
      entries.set(name, (entries.get(name) ?? new Map()).set(form, value));
    }
  }
  return entries;
}

function placeholdersIn(value: string): string[] {
  return Array.from(value.matchAll(/\{\{(\w+)\}\}/g), ([, name = '']) => name).sort();
}

/**
 * Keys are written in full and as literals, so the source text contains them all; only the text of a refusal is named
 * after its code.
 */
function keysInSource(): Set<string> {
  const namespaces = Object.keys(texts.uk).join('|');
  const literal = new RegExp(`'((?:${namespaces}):\\w+)'`, 'g');
  const files = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !file.includes('.test.'),
  );
  return new Set(
    files.flatMap((file) =>
      Array.from(readFileSync(join(sourceFolder, file), 'utf8').matchAll(literal), ([, key = '']) => key),
    ),
  );
}

describe('texts', () => {
  it('exist in all three languages under the same keys [I18N-01]', () => {
    const source = [...entriesOf('uk').keys()].sort();
    for (const language of languages) expect([...entriesOf(language).keys()].sort()).toEqual(source);
  });

  it('are never empty, and not in another alphabet [I18N-01]', () => {
    for (const language of languages) {
      for (const [key, forms] of entriesOf(language)) {
        for (const value of forms.values()) {
          expect(value.trim(), `${language} ${key}`).not.toBe('');
          if (language !== 'uk') expect(value, `${language} ${key}`).not.toMatch(/[а-яіїєґ]/i);
        }
      }
    }
  });

  it('have exactly the plural forms of their language', () => {
    for (const language of languages) {
      const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories.sort();
      for (const [key, forms] of entriesOf(language)) {
        const given = [...forms.keys()].sort();
        if (given.join() !== '') expect(given, `${language} ${key}`).toEqual(needed);
      }
    }
  });

  it('have the same placeholders in every language and form', () => {
    for (const [key, forms] of entriesOf('uk')) {
      const source = placeholdersIn([...forms.values()][0] ?? '');
      for (const language of languages) {
        for (const value of entriesOf(language).get(key)?.values() ?? []) {
          expect(placeholdersIn(value), `${language} ${key}`).toEqual(source);
        }
      }
    }
  });

  it('are all used, and every used text exists [I18N-01]', () => {
    const ofCodes = Object.keys(refusals).map(
      (code) => `refusals:${code.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    );
    const known = [...entriesOf('uk').keys()];
    const used = new Set([...keysInSource(), ...ofCodes.filter((key) => known.includes(key))]);
    expect([...used].sort()).toEqual(known.sort());
  });
});
