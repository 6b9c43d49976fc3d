import { useContext } from 'react';
import { StatusPage } from '../../features/charging/status-page.tsx';
import { OpenMenuContext } from '../../ui/layout/open-menu.ts';
import { LanguageSwitcher } from '../shell/language-switcher.tsx';

/** Has its own header; of the shell's it uses the menu and the language switcher. */
export function Page() {
  const openMenu = useContext(OpenMenuContext);
  return <StatusPage corner={<LanguageSwitcher />} onMenu={() => openMenu?.()} />;
}
