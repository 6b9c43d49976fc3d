import SearchX from 'lucide-react/icons/search-x';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';

/** A search without a result names the two ways on: another text, or the code on the station. */
export function NoStations({ onClear }: { onClear: () => void }) {
  const text = useText();
  return (
    <div className="flex flex-col items-center px-6 pt-8 pb-6 text-center">
      <SearchX aria-hidden="true" size={48} strokeWidth={1.5} className="text-ink-2" />
      <p role="status" className="mt-4 text-card">
        {text('map:noStations')}
      </p>
      <p className="mt-1 max-w-[22rem] text-note text-pretty text-ink-2">{text('map:noStationsText')}</p>
      <div className="mt-5 flex flex-wrap justify-center gap-2">
        <Button kind="secondary" size="m" onPress={onClear}>
          {text('map:clear')}
        </Button>
        <Button kind="secondary" size="m" to="/qr">
          {text('map:scanQr')}
        </Button>
      </div>
    </div>
  );
}
