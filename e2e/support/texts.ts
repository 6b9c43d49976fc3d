import { readFileSync } from 'node:fs';
import type { Language } from '@fpay/contract/person';

/**
 * A pattern for a text of the app in one language: `texts('pl')('payment:card')`. Placeholders match anything, and more
 * text may follow.
 */
export function texts(language: Language) {
  return (key: `${string}:${string}`): RegExp => {
    const [namespace = '', name = ''] = key.split(':');
    const file = new URL(`../../apps/web/src/i18n/texts/${language}/${namespace}.json`, import.meta.url);
    const text = (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)[name];
    if (!text) throw new Error(`No text ${key} in ${language}`);
    const parts = text.split(/\{\{\w+\}\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.+')}`, 'i');
  };
}
