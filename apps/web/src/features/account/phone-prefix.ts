import { currentLanguage } from '../../i18n/i18n.ts';

/** Almost every number begins with it, so the form has it prefilled. */
export function phonePrefix(): string {
  return currentLanguage() === 'pl' ? '+48' : '+380';
}
