import Menu from 'lucide-react/icons/menu';
import { useSettings } from '../../features/settings/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { Link } from '../../router/index.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { Brand } from '../../ui/picture/brand.tsx';
import { LanguageSwitcher } from './language-switcher.tsx';

/** Over the camera's picture, and dark in either theme. */
export function CameraHeader({ onMenu }: { onMenu: () => void }) {
  const text = useText();
  const { brand } = useSettings();
  return (
    <header className="always-dark relative z-10 flex h-16 items-center justify-between px-3 text-ink">
      <IconButton label={text('menu:open')} icon={<Menu size={24} />} onPress={onMenu} />
      <Link to="/map" className="inline-flex rounded-control px-2 py-1.5">
        <Brand name={brand} />
      </Link>
      <LanguageSwitcher />
    </header>
  );
}
