import { languageRecords, languages } from '@fpay/contract/languages';
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone';
import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { Segmented } from '../../ui/form/segmented.tsx';
import { switchLanguage } from './switch-language.ts';
import { chooseTheme, useTheme } from './theme.ts';

/** Theme and language, stored on this device. */
export function MenuChoices() {
  const text = useText();
  return (
    <>
      <Segmented
        legend={text('menu:theme')}
        showsLegend
        value={useTheme()}
        onChange={chooseTheme}
        segments={[
          {
            value: 'system',
            label: text('menu:themeSystem'),
            icon: <MonitorSmartphone aria-hidden="true" size={20} />,
          },
          { value: 'light', label: text('menu:themeLight'), icon: <Sun aria-hidden="true" size={20} /> },
          { value: 'dark', label: text('menu:themeDark'), icon: <Moon aria-hidden="true" size={20} /> },
        ]}
      />
      <Segmented
        legend={text('generic:language')}
        showsLegend
        value={useLanguage()}
        onChange={switchLanguage}
        segments={languages.map((code) => ({
          value: code,
          label: languageRecords[code].name,
          short: languageRecords[code].short,
        }))}
      />
    </>
  );
}
