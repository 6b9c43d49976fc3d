import ArrowLeft from 'lucide-react/icons/arrow-left';
import { type ReactNode, useEffect } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { IconButton } from '../../../ui/form/icon-button.tsx';
import { useSettings } from '../../settings/queries.ts';
import { SearchButton } from '../search/search-button.tsx';

interface StaffPageProps {
  title: string;
  subtitle?: ReactNode;
  /** The parent page, not the last one, because staff open links that were sent to them. */
  back?: string;
  /** At the right of the title: badges, refresh. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The top bar of a staff page, and its content below. */
export function StaffPage({ title, subtitle, back, actions, children }: StaffPageProps) {
  const text = useText();
  const { brand } = useSettings();
  // Staff have many tabs open; the title is what differs between them.
  useEffect(() => {
    document.title = `${title} · ${brand}`;
    return () => {
      document.title = brand;
    };
  }, [title, brand]);
  return (
    <>
      <header className="sticky top-0 z-20 flex min-h-15 items-center gap-2 border-b border-line bg-surface px-3 lg:min-h-14 lg:px-5">
        {back && <IconButton label={text('generic:back')} icon={<ArrowLeft size={22} />} to={back} />}
        <div className="min-w-0 flex-1 py-1.5">
          <h1 className="truncate text-card font-extrabold">{title}</h1>
          {subtitle && <p className="truncate text-small text-ink-2">{subtitle}</p>}
        </div>
        {actions}
        <SearchButton />
      </header>
      <div className="flex flex-1 flex-col gap-3 p-3 lg:p-5">{children}</div>
    </>
  );
}
