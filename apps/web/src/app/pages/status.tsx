import { StatusPage } from '../../features/charging/status-page.tsx';
import { LanguageSwitcher } from '../shell/language-switcher.tsx';

/** Has its own header; of the shell's it uses only the language switcher. */
export function Page() {
  return <StatusPage corner={<LanguageSwitcher />} />;
}
