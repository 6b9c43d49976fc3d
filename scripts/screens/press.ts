import { languages } from '@fpay/contract/languages';
import type { Page } from '@playwright/test';
import { texts } from '../../e2e/support/texts.ts';

type Key = `${string}:${string}`;

/** A pattern for a text of the app in the language of the picture, which may be any. */
export function inAnyLanguage(key: Key): RegExp {
  return new RegExp(languages.map((language) => texts(language)(key).source).join('|'), 'i');
}

/** Presses the button with this text in the content of the page. */
export const press = (page: Page, key: Key) =>
  page
    .getByRole('main')
    .getByRole('button', { name: inAnyLanguage(key) })
    .first()
    .click();
