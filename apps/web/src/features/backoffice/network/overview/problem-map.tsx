import type { NetworkOverview, NetworkProblem } from '@fpay/contract/admin/network/overview';
import { useState } from 'react';
import { useText } from '../../../../i18n/use-text.ts';
import { Link } from '../../../../router/index.ts';
import { classNames } from '../../../../ui/hooks/class-names.ts';
import { MapBackground } from './map-background.tsx';
import { isOnScreen, type MapBox, placed, placedIn, spread } from './map-places.ts';
import { problemAge, problemText, problemViews } from './problem-view.ts';

/** More would cover each other whatever is done. */
const mostPins = 40;

interface ProblemMapProps {
  problems: readonly NetworkProblem[];
  healthy: NetworkOverview['healthy'];
  now: number;
}

/** Where the problems are. Working stations are dots; pills are pushed apart so that none covers another. */
export function ProblemMap({ problems, healthy, now }: ProblemMapProps) {
  const text = useText();
  /** Null until the map is drawn. */
  const [box, setBox] = useState<MapBox | null>(null);
  const found = problems.filter(({ lat, lon }) => lat !== null && lon !== null);
  const all = [...healthy, ...found.map(({ lat, lon }) => ({ lat: lat ?? 0, lon: lon ?? 0 }))];
  const places = box ? placedIn(box, all) : placed(all);
  const dots = places.slice(0, healthy.length).filter(isOnScreen);
  const pins = found
    .map((problem, index) => ({ problem, place: places[healthy.length + index] ?? { x: 50, y: 50 } }))
    .filter(({ place }) => isOnScreen(place))
    .slice(0, mostPins);
  const pills = spread(pins.map(({ place }) => place));
  return (
    <section
      aria-label={text('networkOverview:mapOfProblems', { problems: pins.length })}
      className="relative min-h-96 flex-1 overflow-hidden rounded-card bg-surface-3 shadow-card"
    >
      <MapBackground places={all} onMove={setBox} />
      <svg aria-hidden="true" className="pointer-events-none absolute inset-0 size-full">
        {dots.map(({ x, y }) => (
          <circle
            key={`${x} ${y}`}
            cx={`${x}%`}
            cy={`${y}%`}
            r={5}
            className="fill-free-fill stroke-surface"
            strokeWidth={2}
          />
        ))}
      </svg>
      <ul>
        {pins.map(({ problem }, index) => {
          const view = problemViews[problem.kind];
          const Icon = view.icon;
          const { x, y } = pills[index] ?? { x: 50, y: 50 };
          return (
            <li
              key={`${problem.kind} ${problem.charge_point} ${problem.connector} ${problem.operation}`}
              style={{ left: `${x}%`, top: `${y}%` }}
              className="absolute -translate-x-1/2 -translate-y-1/2"
            >
              <Link
                to={`/admin/network/charge-points/${problem.charge_point}`}
                className="flex h-8 items-center gap-1.5 rounded-full bg-surface pr-3 pl-1 text-small font-bold whitespace-nowrap shadow-float"
              >
                <span className={classNames('grid size-6 place-items-center rounded-full', view.well)}>
                  <Icon aria-hidden="true" size={14} />
                </span>
                {problem.station ?? problem.identity} · {problemAge(problem.since, now)}
                <span className="sr-only">{problemText(problem)}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
