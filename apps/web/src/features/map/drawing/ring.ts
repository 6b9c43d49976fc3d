import type { Shares } from '../atlas/clusters.ts';

export interface Arc {
  share: keyof Shares;
  /** In turns, clockwise from the top. */
  from: number;
  to: number;
}

const order = ['free', 'busy', 'off'] as const;
const steps = 8;

/** Shares in eighths, so that few different rings are drawn and cached; every non-zero share has at least one. */
export function eighths(shares: Shares): Shares {
  const total = order.reduce((sum, name) => sum + shares[name], 0);
  const rounded = { free: 0, busy: 0, off: 0 };
  if (total === 0) return rounded;
  for (const name of order) rounded[name] = shares[name] && Math.max(1, Math.round((shares[name] / total) * steps));
  const largest = order.reduce((most, name) => (rounded[name] > rounded[most] ? name : most));
  rounded[largest] += steps - order.reduce((sum, name) => sum + rounded[name], 0);
  return rounded;
}

/** Gap between two arcs, in turns: 2.5 px on the ring. */
const gap = 0.025;

export function arcsOf(shares: Shares): Arc[] {
  const parts = eighths(shares);
  const present = order.filter((name) => parts[name] > 0);
  if (present.length === 1) return present.map((share) => ({ share, from: 0, to: 1 }));
  let at = 0;
  return present.map((share) => {
    const from = at / steps;
    at += parts[share];
    return { share, from: from + gap / 2, to: at / steps - gap / 2 };
  });
}
