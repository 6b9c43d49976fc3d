import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { languageRecords, languages } from '@fpay/contract/languages';
import type { Language } from '@fpay/contract/person';
import type { Plugin } from 'vite';

export type Words = Record<string, string>;

const folder = resolve(import.meta.dirname, '../src/i18n/texts');
const pluralForm = /_(zero|one|two|few|many|other)$/;
/** `cars_one` and `cars_few` are the same text. */
export const nameOf = (key: string) => key.replace(pluralForm, '');

const standInOf = (language: Language) => languageRecords[language].standIn as Language | null;

/** The texts that exist in the language itself. */
export function ownTexts(language: Language, namespace: string): Words {
  const file = join(folder, language, `${namespace}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

export function namespacesOf(language: Language): string[] {
  return readdirSync(join(folder, language))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replace('.json', ''));
}

/** What a reader of the language gets: its own texts, and those of its stand-in where it has none. */
export function textsOf(language: Language, namespace: string): Words {
  const own = ownTexts(language, namespace);
  const standIn = standInOf(language);
  return standIn ? { ...missingTexts(language, own, textsOf(standIn, namespace)), ...own } : own;
}

/** In the plural forms of the language; a form that the stand-in does not have gets its general one. */
export function missingTexts(language: Language, own: Words, others: Words): Words {
  const known = new Set(Object.keys(own).map(nameOf));
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  return Object.fromEntries(
    Object.entries(others)
      .filter(([key]) => !known.has(nameOf(key)))
      .flatMap(([key, text]) =>
        nameOf(key) === key
          ? [[key, text]]
          : forms.map((form) => [
              `${nameOf(key)}_${form}`,
              others[`${nameOf(key)}_${form}`] ?? others[`${nameOf(key)}_other`] ?? text,
            ]),
      ),
  );
}

/** How many texts of the source exist in the language. */
export function shareOf(language: Language): { own: number; all: number } {
  const count = (code: Language) =>
    namespacesOf(code).reduce((sum, name) => sum + new Set(Object.keys(ownTexts(code, name)).map(nameOf)).size, 0);
  return { own: count(language), all: count(languages[0]) };
}

/** A line for each language: `de 20 of 2,335 texts (0.9%), en for the rest`. */
export function shareLine(language: Language): string {
  const { own, all } = shareOf(language);
  const percent = (Math.floor((own / all) * 1000) / 10).toString();
  const standIn = standInOf(language);
  return `${language} ${own} of ${all} texts (${percent}%)${standIn ? `, ${standIn} for the rest` : ''}`;
}

/**
 * Completes a language that is only begun while its texts are read, so that a page needs no code for it, and prints how
 * much of each language exists.
 */
export function standInTexts(): Plugin {
  return {
    name: 'fpay-texts',
    enforce: 'pre',
    buildStart() {
      for (const language of languages) if (!process.env.VITEST) this.info(shareLine(language));
    },
    transform: {
      filter: { id: /\/i18n\/texts\/\w+\/\w+\.json$/ },
      handler(_code, id) {
        const [, language = '', namespace = ''] = /\/texts\/(\w+)\/(\w+)\.json$/.exec(id) ?? [];
        const known = languages.find((code) => code === language);
        return known && standInOf(known) ? { code: JSON.stringify(textsOf(known, namespace)), map: null } : null;
      },
    },
  };
}
