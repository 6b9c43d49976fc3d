import { chooseLanguage, text } from '../../i18n/i18n.ts';
import type { Language } from '../../i18n/languages.ts';
import { notify } from '../../ui/popups.ts';

/** The other language's words come over the network; when they do not, the page stays as it is and says why. */
export async function switchLanguage(language: Language): Promise<void> {
  try {
    await chooseLanguage(language);
  } catch {
    void notify(text('generic:noConnectionText'));
  }
}
