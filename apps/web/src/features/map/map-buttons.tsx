import Info from 'lucide-react/icons/info';
import List from 'lucide-react/icons/list';
import LocateFixed from 'lucide-react/icons/locate-fixed';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import Satellite from 'lucide-react/icons/satellite';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { Spinner } from '../../ui/form/spinner.tsx';
import { classNames } from '../../ui/hooks/class-names.ts';
import type { BaseMapState, View } from './canvas/station-map.ts';
import { MapCredit } from './map-credit.tsx';

interface MapButtonsProps {
  baseState: BaseMapState;
  /** Null before the map is there. */
  view: View | null;
  /** Null when the network has no satellite map. */
  satellite: { isOn: boolean; onToggle: () => void } | null;
  onLegend: () => void;
  /** Null when the list is beside the map. */
  onList: (() => void) | null;
  /** Null on a phone, where two fingers zoom. */
  onZoom: ((steps: number) => void) | null;
  isLocating: boolean;
  onLocate: () => void;
}

/** The buttons over the map: rarely used ones above, the others within reach of the thumb. */
export function MapButtons({
  baseState,
  view,
  satellite,
  onLegend,
  onList,
  onZoom,
  isLocating,
  onLocate,
}: MapButtonsProps) {
  const text = useText();
  return (
    <>
      <div className="fixed inset-x-0 top-[calc(env(safe-area-inset-top)+4.5rem)] mx-auto flex max-w-3xl flex-col items-end gap-2 p-4 pt-1 *:pointer-events-auto lg:top-0 lg:max-w-none lg:pt-4">
        {satellite && (
          <button
            type="button"
            aria-label={text('map:satellite')}
            aria-pressed={satellite.isOn}
            onClick={satellite.onToggle}
            className={classNames(
              'grid size-12 place-items-center rounded-control shadow-float',
              satellite.isOn ? 'bg-ink text-surface' : 'bg-surface text-ink',
            )}
          >
            <Satellite aria-hidden="true" size={24} />
          </button>
        )}
        <IconButton look="floating" label={text('map:legend')} icon={<Info size={24} />} onPress={onLegend} />
      </div>
      <div className="flex items-end justify-between gap-3 px-4 pb-3 *:pointer-events-auto">
        <MapCredit state={baseState} view={view} />
        <div className="ml-auto flex flex-col gap-2">
          {onList && <IconButton look="floating" label={text('map:list')} icon={<List size={24} />} onPress={onList} />}
          <IconButton
            look="floating"
            label={text('map:locate')}
            icon={isLocating ? <Spinner /> : <LocateFixed size={24} />}
            onPress={onLocate}
          />
          {onZoom && (
            <>
              <IconButton
                look="floating"
                label={text('map:zoomIn')}
                icon={<Plus size={24} />}
                onPress={() => onZoom(1)}
              />
              <IconButton
                look="floating"
                label={text('map:zoomOut')}
                icon={<Minus size={24} />}
                onPress={() => onZoom(-1)}
              />
            </>
          )}
        </div>
      </div>
    </>
  );
}
