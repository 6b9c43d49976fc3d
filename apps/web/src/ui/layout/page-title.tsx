import ArrowLeft from 'lucide-react/icons/arrow-left';
import Menu from 'lucide-react/icons/menu';
import { type ReactNode, useContext } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../form/icon-button.tsx';
import { OpenMenuContext } from './open-menu.ts';

interface PageTitleProps {
  /** The parent page, not the last one, because a user may have come by a link. */
  back: string;
  /** Before the menu. */
  action?: ReactNode;
  children: ReactNode;
}

/** The head of a page below another one; it takes the place of the top bar (header `page`). */
export function PageTitle({ back, action, children }: PageTitleProps) {
  const text = useText();
  const openMenu = useContext(OpenMenuContext);
  return (
    <div className="-mx-4 -mt-1 flex min-h-16 items-center gap-1 px-2.5">
      <IconButton label={text('generic:back')} icon={<ArrowLeft size={24} />} to={back} />
      <h1 className="min-w-0 flex-1 py-2 text-h2 text-[min(1.25rem,8vw)] leading-[1.3] font-extrabold wrap-anywhere">
        {children}
      </h1>
      {action}
      {openMenu && <IconButton label={text('menu:open')} icon={<Menu size={24} />} onPress={openMenu} />}
    </div>
  );
}
