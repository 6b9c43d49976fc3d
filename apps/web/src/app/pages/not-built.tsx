import Construction from 'lucide-react/icons/construction';
import { useText } from '../../i18n/use-text.ts';
import { MainButton } from '../../ui/form/main-button.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';

export function Page() {
  const text = useText();
  return (
    <EmptyState
      drawing={<Construction size={64} strokeWidth={1.5} />}
      tone="occupied"
      title={text('generic:notBuiltTitle')}
      text={text('generic:notBuiltText')}
      actions={<MainButton to="/map">{text('generic:toMap')}</MainButton>}
    />
  );
}
