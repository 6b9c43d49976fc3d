import { useState } from 'react';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import type { ShownPlace } from './atlas/atlas.ts';
import { StationCards } from './station-card.tsx';
import { usePlaceStations } from './use-place-stations.ts';

interface ChunkSheetProps {
  /** The places of one marker, or of a group that cannot be separated; empty when closed. */
  places: readonly ShownPlace[];
  /** The station that was chosen in a list; null for a pressed marker. */
  chosen: string | null;
  onClose: () => void;
}

/** The stations of a marker, over the lower part of a phone's map. */
export function ChunkSheet({ places, chosen, onClose }: ChunkSheetProps) {
  const isOpen = places.length > 0;
  // The last ones stay visible while the sheet closes.
  const [shown, setShown] = useState(places);
  if (isOpen && places !== shown) setShown(places);
  const { stations, address, summary, isLoading } = usePlaceStations(shown, isOpen, onClose);

  const [place] = shown;
  if (!place) return null;
  return (
    <Sheet low open={isOpen} onClose={onClose} title={address} subtitle={summary}>
      <StationCards stations={stations} place={place} chosen={chosen} isLoading={isLoading} />
    </Sheet>
  );
}
