import { readFileSync } from 'node:fs';

export const languages = ['uk', 'en', 'pl'] as const;
export type Language = (typeof languages)[number];

/** What the app says in a language: `words('pl')('station:card')`. Placeholders are anything, and more may follow. */
export function words(language: Language) {
  return (key: `${string}:${string}`): RegExp => {
    const [namespace = '', name = ''] = key.split(':');
    const file = new URL(`../../apps/web/src/i18n/texts/${language}/${namespace}.json`, import.meta.url);
    const text = (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)[name];
    if (!text) throw new Error(`No text ${key} in ${language}`);
    const parts = text.split(/\{\{\w+\}\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.+')}`, 'i');
  };
}
