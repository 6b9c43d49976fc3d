import { useMemo, useState } from 'react';

/**
 * Rows of a list that refreshes by itself. New rows wait while the list is in use, so that no row moves away under the
 * pointer; known rows are updated in place.
 */
export function useSteadyRows<Row extends { id: number }>(rows: readonly Row[], listKey: string, isInUse: boolean) {
  const newest = rows.reduce((most, { id }) => Math.max(most, id), 0);
  const [shown, setShown] = useState({ listKey, newest });
  const isFirst = shown.newest === 0 || shown.listKey !== listKey;
  const upTo = isFirst || !isInUse ? newest : shown.newest;
  if (shown.newest !== upTo || shown.listKey !== listKey) setShown({ listKey, newest: upTo });
  // The same array while nothing changes, because a table is made again for another one.
  const steady = useMemo(() => rows.filter(({ id }) => id <= upTo), [rows, upTo]);
  return {
    rows: steady,
    waiting: rows.length - steady.length,
    showWaiting: () => setShown({ listKey, newest }),
  };
}
