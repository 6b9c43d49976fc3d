import { useEffect, useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import type { MapStationRow, Screen, ShownPlace } from './atlas/atlas.ts';
import { atlas } from './atlas/remote.ts';
import { StationRowButton } from './station-row.tsx';

interface StationListProps {
  open: boolean;
  onClose: () => void;
  screen: Screen | null;
  onStation: (place: ShownPlace, number: string) => void;
}

/** For more, the user can zoom in. */
const mostRows = 50;

/** The stations on the map as a list, for users who cannot see or press the map. */
export function StationList({ open, onClose, screen, onStation }: StationListProps) {
  const text = useText();
  const [seen, setSeen] = useState<{ total: number; rows: MapStationRow[] } | null>(null);
  useEffect(() => {
    if (open && screen) void atlas().ask('inView', { screen, most: mostRows }).then(setSeen);
  }, [open, screen]);
  const { total = 0, rows = [] } = seen ?? {};
  return (
    <Sheet open={open} onClose={onClose} title={text('map:listTitle')} subtitle={text('map:inView', { count: total })}>
      {rows.length > 0 ? (
        <ul aria-label={text('map:listTitle')} className="divide-y divide-line rounded-card bg-surface shadow-card">
          {rows.map((row) => (
            <StationRowButton
              key={row.station.number}
              row={row}
              onPress={() => onStation(row.place, row.station.number)}
            />
          ))}
        </ul>
      ) : (
        <p className="py-8 text-center text-body text-pretty text-ink-2">{text('map:noneInView')}</p>
      )}
      {total > rows.length && (
        <p className="pt-4 text-center text-note text-pretty text-ink-2">{text('map:listLimit')}</p>
      )}
    </Sheet>
  );
}
