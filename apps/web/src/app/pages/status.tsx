import { StatusPage } from '../../features/charging/status-page.tsx';
import { LanguageSwitcher } from '../shell/language-switcher.tsx';
import { useOpenMenu } from '../shell/open-menu.ts';

/** Has its own header; of the shell's it uses the menu and the language switcher. */
export function Page() {
  return <StatusPage corner={<LanguageSwitcher />} onMenu={useOpenMenu()} />;
}
