import type { Language } from '@fpay/contract/person';
import { textsOf } from '../../apps/web/build/texts.ts';

/**
 * A pattern for a text of the app in one language: `texts('pl')('payment:card')`. Placeholders match anything, and more
 * text may follow.
 */
export function texts(language: Language) {
  return (key: `${string}:${string}`): RegExp => {
    const [namespace = '', name = ''] = key.split(':');
    const text = textsOf(language, namespace)[name];
    if (!text) throw new Error(`No text ${key} in ${language}`);
    const parts = text.split(/\{\{\w+\}\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.+')}`, 'i');
  };
}
