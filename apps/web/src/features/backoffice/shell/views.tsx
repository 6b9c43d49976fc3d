import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Link } from '../../../router/index.ts';
import { classNames } from '../../../ui/hooks/class-names.ts';

interface ViewLinksProps {
  label: string;
  views: readonly { to: string; label: TextKey }[];
  /** The address of the view that is shown. */
  view: string;
}

/** The views of one page; each has an address of its own. */
export function ViewLinks({ label, views, view }: ViewLinksProps) {
  const text = useText();
  return (
    <nav aria-label={label} className="flex flex-wrap gap-1 rounded-control bg-surface-2 p-1 lg:self-start">
      {views.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          aria-current={to === view ? 'page' : undefined}
          className={classNames(
            'flex min-h-11 shrink-0 grow basis-2/5 items-center justify-center rounded-thumb px-2 text-note font-bold whitespace-nowrap min-[390px]:basis-0 sm:px-4 lg:min-h-9',
            to === view ? 'bg-thumb shadow-thumb' : 'text-ink-2',
          )}
        >
          {text(label)}
        </Link>
      ))}
    </nav>
  );
}
