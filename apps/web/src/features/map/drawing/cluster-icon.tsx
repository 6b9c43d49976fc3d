import type { Shares } from '../atlas/clusters.ts';
import { markerColours } from './marker-shapes.ts';
import { arcsOf } from './ring.ts';

const colours = { free: markerColours.free, busy: markerColours.busy, off: 'var(--offline-fill)' };
const length = 2 * Math.PI * 15.8;

/** A group of stations as on the map. */
export function ClusterIcon({ shares }: { shares: Shares }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 40 40" width={40} height={40} className="shrink-0">
      {arcsOf(shares).map(({ share, from, to }) => (
        <circle
          key={share}
          cx={20}
          cy={20}
          r={15.8}
          fill="none"
          stroke={colours[share]}
          strokeWidth={4}
          strokeDasharray={`${(to - from) * length} ${length}`}
          transform={`rotate(${from * 360 - 90} 20 20)`}
        />
      ))}
      <text x={20} y={24.6} textAnchor="middle" className="fill-current text-[13px] font-extrabold">
        {shares.free + shares.busy + shares.off}
      </text>
    </svg>
  );
}
