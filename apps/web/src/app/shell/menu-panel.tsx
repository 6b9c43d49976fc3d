import X from 'lucide-react/icons/x';
import { useUser } from '../../features/account/queries.ts';
import { useSettings } from '../../features/settings/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { Overlay } from '../../ui/overlay/overlay.tsx';
import { Brand } from '../../ui/picture/brand.tsx';
import { MenuChoices } from './menu-choices.tsx';
import { MenuLinks } from './menu-links.tsx';
import { MenuUser } from './menu-user.tsx';
import { SocialLinks } from './social-links.tsx';
import { VersionLabel } from './version-label.tsx';

interface MenuPanelProps {
  open: boolean;
  onClose: () => void;
}

/** Opens from the left edge over any page. The most used items are at the bottom, near the thumb. */
export function MenuPanel({ open, onClose }: MenuPanelProps) {
  const text = useText();
  const user = useUser();
  const settings = useSettings();
  return (
    <Overlay
      open={open}
      onClose={onClose}
      title={text('menu:title')}
      titleClassName="sr-only"
      className="fixed inset-y-0 left-0 z-50 flex w-[min(82vw,360px)] flex-col overflow-y-auto overscroll-contain rounded-r-card bg-surface px-3 pt-[calc(0.75rem+env(safe-area-inset-top))] pb-[calc(1.25rem+env(safe-area-inset-bottom))] pl-[calc(0.75rem+env(safe-area-inset-left))] shadow-popup data-[state=closed]:animate-to-left data-[state=open]:animate-from-left"
    >
      <div className="mb-4 flex items-center justify-between pl-3">
        <Brand name={settings.brand} />
        <IconButton label={text('generic:close')} icon={<X size={24} />} onPress={onClose} />
      </div>
      <MenuUser user={user} />
      <MenuLinks user={user} settings={settings} />
      <div className="mt-auto flex flex-col gap-5 px-3 pt-6">
        <MenuChoices />
        <div className="flex items-center justify-between gap-3">
          <SocialLinks settings={settings} />
          <VersionLabel version={settings.version} />
        </div>
      </div>
    </Overlay>
  );
}
