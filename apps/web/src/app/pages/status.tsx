import { StatusPage } from '../../features/charging/status-page.tsx';
import { LanguageSwitcher } from '../shell/language-switcher.tsx';

/** Draws a header of its own; of the shell's it keeps only the language. */
export function Page() {
  return <StatusPage corner={<LanguageSwitcher />} />;
}
