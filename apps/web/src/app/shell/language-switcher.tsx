import { languageRecords, languages } from '@fpay/contract/languages';
import type { Language } from '@fpay/contract/person';
import Globe from 'lucide-react/icons/globe';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { switchLanguage } from './switch-language.ts';

/** A globe, which people find in any language, over the phone's own list of languages. */
export function LanguageSwitcher() {
  const text = useText();
  const language = useLanguage();
  return (
    <div className="relative grid size-11 shrink-0 place-items-center rounded-control text-label font-extrabold has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
      <span aria-hidden="true" className="flex flex-col items-center gap-px text-[0.6875rem] leading-none">
        <Globe size={20} strokeWidth={1.75} />
        {languageRecords[language].short}
      </span>
      <select
        aria-label={text('generic:language')}
        value={language}
        onChange={({ target }) => switchLanguage(target.value as Language)}
        className="absolute inset-0 w-full cursor-pointer appearance-none bg-transparent text-transparent outline-none"
      >
        {languages.map((code) => (
          <option key={code} value={code} lang={code} className="bg-surface text-ink">
            {languageRecords[code].name}
          </option>
        ))}
      </select>
    </div>
  );
}
