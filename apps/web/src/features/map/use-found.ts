import { useEffect, useState } from 'react';
import type { MapStationRow } from './atlas/atlas.ts';
import type { Point } from './atlas/distance.ts';
import { atlas } from './atlas/remote.ts';

/** Null before the first search. Results stay until the next answer, so that the list does not flicker. */
export function useFound(query: string, near: Point): MapStationRow[] | null {
  const [rows, setRows] = useState<MapStationRow[] | null>(null);
  const { lat, lon } = near;
  useEffect(() => {
    if (query === '') return setRows(null);
    let isStale = false;
    void atlas()
      .ask('search', { typed: query, near: { lat, lon } })
      .then((found) => isStale || setRows(found));
    return () => {
      isStale = true;
    };
  }, [query, lat, lon]);
  return rows;
}
