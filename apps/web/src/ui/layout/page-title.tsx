import ArrowLeft from 'lucide-react/icons/arrow-left';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../form/icon-button.tsx';

interface PageTitleProps {
  /** The parent page, not the last one, because a user may have come by a link. */
  back: string;
  children: ReactNode;
}

export function PageTitle({ back, children }: PageTitleProps) {
  const text = useText();
  return (
    <div className="-ml-2.5 flex items-center gap-1">
      <IconButton label={text('generic:back')} icon={<ArrowLeft size={24} />} to={back} />
      <h1 className="min-w-0 text-h1">{children}</h1>
    </div>
  );
}
