import CircleX from 'lucide-react/icons/circle-x';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { Overlay } from '../../ui/overlay/overlay.tsx';
import { useDragDown } from '../../ui/overlay/use-drag-down.ts';
import type { ShownPlace } from './atlas/atlas.ts';
import type { Point } from './atlas/distance.ts';
import { dnipro } from './canvas/station-map.ts';
import { NoStations } from './no-stations.tsx';
import { StationRowButton } from './station-row.tsx';
import { useFound } from './use-found.ts';

interface SearchSheetProps {
  open: boolean;
  onClose: () => void;
  /** The nearest stations to this point come first. */
  near: Point | null;
  isFromDevice: boolean;
  onStation: (place: ShownPlace, number: string) => void;
}

/** Finds a station by its number or address. */
export function SearchSheet({ open, onClose, ...search }: SearchSheetProps) {
  const text = useText();
  const drag = useDragDown(onClose);
  return (
    <Overlay
      open={open}
      onClose={onClose}
      title={text('map:search')}
      titleClassName="sr-only"
      className="fixed inset-x-0 bottom-0 z-50 mx-auto flex h-[92dvh] max-w-3xl flex-col rounded-t-card bg-surface pt-6 shadow-sheet data-[state=closed]:animate-sink data-[state=open]:animate-rise"
    >
      <div className="absolute inset-x-0 top-0 flex h-6 touch-none justify-center pt-2" {...drag}>
        <span aria-hidden="true" className="h-[5px] w-10 rounded-full bg-offline-fill" />
      </div>
      <SearchBody onClose={onClose} {...search} />
    </Overlay>
  );
}

function SearchBody({ onClose, near, isFromDevice, onStation }: Omit<SearchSheetProps, 'open'>) {
  const text = useText();
  const [typed, setTyped] = useState('');
  const query = typed.trim();
  const rows = useFound(query, near ?? dnipro);
  return (
    <>
      <div className="flex items-center gap-1 border-b border-line py-3 pr-2 pl-4">
        <div className="flex min-h-14 min-w-0 flex-1 items-center gap-3 rounded-control border-[1.5px] border-line-strong pl-4 focus-within:border-focus focus-within:shadow-[0_0_0_3px_color-mix(in_srgb,var(--focus)_24%,transparent)]">
          <Search aria-hidden="true" size={22} className="shrink-0 text-ink-2" />
          <input
            type="text"
            inputMode="search"
            enterKeyHint="search"
            autoComplete="off"
            autoCapitalize="characters"
            aria-label={text('map:searchHint')}
            placeholder={text('map:searchHint')}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            className="min-w-0 flex-1 self-stretch bg-transparent text-field outline-none"
          />
          {typed !== '' && (
            <IconButton label={text('map:clear')} icon={<CircleX size={22} />} onPress={() => setTyped('')} />
          )}
        </div>
        <IconButton label={text('generic:close')} icon={<X size={24} />} onPress={onClose} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto pb-dock">
        {rows && rows.length > 0 && (
          <p className="px-4 pt-3 pb-1 text-right text-small text-ink-2">
            {isFromDevice ? text('map:fromYou') : text('map:fromCentre')}
          </p>
        )}
        {rows && rows.length > 0 && (
          <ul aria-label={text('map:found')} className="divide-y divide-line border-b border-line">
            {rows.map((row) => (
              <StationRowButton
                key={row.station.number}
                row={row}
                match={query}
                onPress={() => onStation(row.place, row.station.number)}
              />
            ))}
          </ul>
        )}
        {rows?.length === 0 ? (
          <NoStations onClear={() => setTyped('')} />
        ) : (
          <p role="status" className="px-6 pt-4 text-center text-note text-pretty text-ink-2">
            {rows === null ? text('map:searchHelp') : text('map:searchLimit')}
          </p>
        )}
      </div>
    </>
  );
}
