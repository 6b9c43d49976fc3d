import type { Language } from '@fpay/contract/person';
import { chooseLanguage, text } from '../../i18n/i18n.ts';
import { notify } from '../../ui/overlay/popups.ts';

/**
 * The texts of the other language are loaded over the network; when that fails, the page stays and shows the reason.
 */
export async function switchLanguage(language: Language): Promise<void> {
  try {
    await chooseLanguage(language);
  } catch {
    void notify(text('generic:noConnectionText'));
  }
}
