import { currentLanguage } from '../../i18n/i18n.ts';

/** What almost every number here begins with: nobody needs to type it. */
export function phoneStart(): string {
  return currentLanguage() === 'pl' ? '+48' : '+380';
}
