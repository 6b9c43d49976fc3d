// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languageRecords, languages } from '@fpay/contract/languages';
import type { Language } from '@fpay/contract/person';
import { refusals } from '@fpay/contract/refusals';
import { describe, expect, it } from 'vitest';
import { missingTexts, nameOf, namespacesOf, ownTexts, shareLine, shareOf, textsOf } from '../../build/texts.ts';

const [source] = languages;
const complete = languages.filter((language) => languageRecords[language].standIn === null);
const begun = languages.filter((language) => languageRecords[language].standIn !== null);
const pluralForm = /_(zero|one|two|few|many|other)$/;
const sourceFolder = join(import.meta.dirname, '..');

const known = new Map(languages.map((language) => [language, readEntries(language)]));
const entriesOf = (language: Language) => known.get(language) ?? new Map<string, Map<string, string>>();

/** A plain space where a line may not break; U+00A0 stands there instead. */
const units = '₴|грн|%|хв|год|с|сек|кВт·год|кВт|км|м|мс|МБ|UAH|kWh|kW|A|V|min|godz|h|s|km|m|ms|MB|zł';
const unitApart = new RegExp(`[\\d}] (?:${units})(?![\\p{L}’'{])`, 'u');
const numberApart = /(?:№|\b[Nn]o\.|\b[Nn]r) [\d{]/;

/** `generic:ok` → every text under it: one, or one per plural form. */
function readEntries(language: Language): Map<string, Map<string, string>> {
  const entries = new Map<string, Map<string, string>>();
  for (const namespace of namespacesOf(language)) {
    for (const [key, value] of Object.entries(ownTexts(language, namespace))) {
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
  const namespaces = namespacesOf(source).join('|');
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
  it('exist in every complete language under the same keys [I18N-01]', () => {
    const keys = [...entriesOf(source).keys()].sort();
    for (const language of complete) expect([...entriesOf(language).keys()].sort(), language).toEqual(keys);
  });

  it('keep a number with its unit, and № with its number, at the end of a line', () => {
    const apart = languages.flatMap((language) =>
      [...entriesOf(language)].flatMap(([key, forms]) =>
        [...forms.values()]
          .filter((text) => unitApart.test(text) || numberApart.test(text))
          .map((text) => `${key}: ${text}`),
      ),
    );
    expect(apart).toEqual([]);
  });

  it('of a language that is only begun are texts of the source, with a file for each namespace', () => {
    const keys = new Set(entriesOf(source).keys());
    for (const language of begun) {
      expect(namespacesOf(language).toSorted(), `texts/${language}; a file may be {}`).toEqual(
        namespacesOf(source).toSorted(),
      );
      expect(
        [...entriesOf(language).keys()].filter((key) => !keys.has(key)),
        language,
      ).toEqual([]);
      expect(complete).toContain(languageRecords[language].standIn);
    }
  });

  it('are counted for each language', () => {
    for (const language of languages) {
      const { own, all } = shareOf(language);
      expect([own, all]).toEqual([entriesOf(language).size, entriesOf(source).size]);
      expect(shareLine(language)).toContain(`${own} of ${all} texts`);
    }
    expect(shareLine('en')).toMatch(/^en (\d+) of \1 texts \(100%\)$/);
  });

  it('that are missing come from the language that stands in, in the plural forms of their reader', () => {
    const own = { ok: 'Dobrze' };
    const others = { ok: 'OK', back: 'Back', cars_one: '{{count}} car', cars_other: '{{count}} cars' };
    expect(missingTexts('pl', own, others)).toEqual({
      back: 'Back',
      cars_one: '{{count}} car',
      cars_few: '{{count}} cars',
      cars_many: '{{count}} cars',
      cars_other: '{{count}} cars',
    });
    for (const language of languages) {
      for (const namespace of namespacesOf(source)) {
        const names = (code: Language) => new Set(Object.keys(textsOf(code, namespace)).map(nameOf));
        expect(names(language), `${language} ${namespace}`).toEqual(names(source));
      }
    }
  });

  it('are never empty, and not in another alphabet [I18N-01]', () => {
    for (const language of languages) {
      for (const [key, forms] of entriesOf(language)) {
        for (const value of forms.values()) {
          expect(value.trim(), `${language} ${key}`).not.toBe('');
          if (language !== source) expect(value, `${language} ${key}`).not.toMatch(/[а-яіїєґ]/i);
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
    for (const [key, forms] of entriesOf(source)) {
      const wanted = placeholdersIn([...forms.values()][0] ?? '');
      for (const language of languages) {
        for (const value of entriesOf(language).get(key)?.values() ?? []) {
          expect(placeholdersIn(value), `${language} ${key}`).toEqual(wanted);
        }
      }
    }
  });

  it('are all used, and every used text exists [I18N-01]', () => {
    const ofCodes = Object.keys(refusals).map(
      (code) => `refusals:${code.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    );
    const known = [...entriesOf(source).keys()];
    const used = new Set([...keysInSource(), ...ofCodes.filter((key) => known.includes(key))]);
    expect([...used].sort()).toEqual(known.sort());
  });
});
