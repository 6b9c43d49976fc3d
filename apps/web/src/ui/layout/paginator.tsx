import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../form/icon-button.tsx';

interface PaginatorProps {
  /** From 1. */
  page: number;
  pageCount: number;
  onChange: (page: number) => void;
}

export function Paginator({ page, pageCount, onChange }: PaginatorProps) {
  const text = useText();
  return (
    <nav aria-label={text('generic:pages')} className="flex items-center justify-center gap-3">
      <IconButton
        look="outlined"
        label={text('generic:previousPage')}
        icon={<ChevronLeft size={20} />}
        disabled={page <= 1}
        onPress={() => onChange(page - 1)}
      />
      <span className="tabular text-label">{text('generic:pageOf', { page, count: pageCount })}</span>
      <IconButton
        look="outlined"
        label={text('generic:nextPage')}
        icon={<ChevronRight size={20} />}
        disabled={page >= pageCount}
        onPress={() => onChange(page + 1)}
      />
    </nav>
  );
}
