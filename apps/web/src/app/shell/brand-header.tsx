import Menu from 'lucide-react/icons/menu';
import { useSettings } from '../../features/settings/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { Link } from '../../router/index.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { Brand } from '../../ui/picture/brand.tsx';
import { LanguageSwitcher } from './language-switcher.tsx';

/** Over sign-in and the maintenance page, which have no user to show. */
export function BrandHeader({ onMenu }: { onMenu?: () => void }) {
  const text = useText();
  const { brand } = useSettings();
  return (
    <header className="flex h-16 items-center justify-between px-3">
      <Link to="/" className="inline-flex rounded-control px-2 py-1.5">
        <Brand name={brand} />
      </Link>
      <div className="flex items-center gap-1">
        <LanguageSwitcher />
        {onMenu && <IconButton label={text('menu:open')} icon={<Menu size={24} />} onPress={onMenu} />}
      </div>
    </header>
  );
}
