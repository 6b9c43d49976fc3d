import MapIcon from 'lucide-react/icons/map';
import PowerOff from 'lucide-react/icons/power-off';
import { useText } from '../../../i18n/use-text.ts';
import { MainButton } from '../../../ui/form/main-button.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';

export function OfflineStation({ number }: { number: string }) {
  const text = useText();
  return (
    <EmptyState
      drawing={<PowerOff size={64} strokeWidth={1.5} />}
      title={text('station:offlineTitle', { number })}
      text={text('station:offlineText')}
      actions={
        <MainButton to="/map" icon={<MapIcon aria-hidden="true" size={20} />}>
          {text('generic:toMap')}
        </MainButton>
      }
    />
  );
}
