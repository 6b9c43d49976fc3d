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
  /** The state of what is shown. */
  badges?: ReactNode;
  /** At the right of the title: refresh, add. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The top bar of a staff page, and its content below. */
export function StaffPage({ title, subtitle, back, badges, actions, children }: StaffPageProps) {
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
      <header className="sticky top-0 z-20 flex min-h-15 items-center gap-1 border-b border-line bg-surface px-3 min-[360px]:gap-2 lg:min-h-14 lg:px-5">
        {back && <IconButton label={text('generic:back')} icon={<ArrowLeft size={22} />} to={back} />}
        <div className="min-w-0 flex-1 py-1.5">
          {/* On a phone the bar grows, because a cut title would hide the number that it ends with. */}
          <h1 className="line-clamp-2 text-card font-extrabold break-words lg:line-clamp-1">{title}</h1>
          {/* Beside the buttons of a phone the badges would leave no room for the title. */}
          {(subtitle || badges) && (
            <p className="line-clamp-3 text-small text-ink-2 lg:line-clamp-1">
              {badges} {subtitle}
            </p>
          )}
        </div>
        {actions}
        <SearchButton />
      </header>
      <div className="flex flex-1 flex-col gap-3 p-3 lg:p-5">{children}</div>
    </>
  );
}
