/** A driver in the queue of a station, in order of the requests. */
export interface Waiting {
  id: number;
  type: string;
  /** Null for any connector of the type. */
  connector: number | null;
}

export interface FreedConnector {
  id: number;
  type: string;
}

export interface Offer {
  alert: number;
  connector: number;
}

/**
 * Which driver is notified of which free connector. The first who waits gets the first that fits. A connector that
 * another driver has a head start on is not offered again until that has passed.
 */
export function offersOf(
  waiting: readonly Waiting[],
  free: readonly FreedConnector[],
  offered: ReadonlySet<number>,
): Offer[] {
  const left = free.filter(({ id }) => !offered.has(id));
  const offers: Offer[] = [];
  for (const { id, type, connector } of waiting) {
    const index = left.findIndex((one) => one.type === type && (connector === null || one.id === connector));
    const [fitting] = index < 0 ? [] : left.splice(index, 1);
    if (fitting) offers.push({ alert: id, connector: fitting.id });
  }
  return offers;
}
