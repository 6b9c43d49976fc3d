import PowerOff from 'lucide-react/icons/power-off';
import { useText } from '../../../i18n/use-text.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { StationHelp } from './station-help.tsx';

/** No connector of the station can be reached. */
export function OfflineStation({ number }: { number: string }) {
  const text = useText();
  return (
    <>
      <EmptyState
        drawing={<PowerOff size={64} strokeWidth={1.5} />}
        title={text('station:offlineTitle', { number })}
        text={text('station:offlineText')}
      />
      <div className="px-4 pb-6">
        <StationHelp number={number} />
      </div>
    </>
  );
}
