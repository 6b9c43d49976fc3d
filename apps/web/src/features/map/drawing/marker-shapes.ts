import type { MarkerKind, MarkerLook } from '../atlas/marker-look.ts';

/** One stroke or fill of a marker, in its 45 × 51 box whose corner is at (-1, -3). */
export interface MarkerShape {
  path: string;
  fill?: string;
  stroke?: string;
  width?: number;
  move?: readonly [number, number];
}

export const markerBox = { x: -1, y: -3, width: 45, height: 51, anchor: { x: 21, y: 49 } } as const;
export const markerColours = {
  free: '#0B8A49',
  busy: '#F2A60C',
  off: '#7A857E',
  discount: '#7038E0',
  sun: '#FFD23F',
  event: '#E2551B',
} as const;

const white = '#fff';
const darkOnSun = '#3A2A00';
const darkOnBusy = '#2A1A00';
const body =
  'M20 46.2c-.9 0-1.7-.5-2.2-1.3L14.3 39H14A12 12 0 0 1 2 27V15A12 12 0 0 1 14 3h12a12 12 0 0 1 12 12v12a12 12 0 0 1-12 12h-.3l-3.5 5.9c-.5.8-1.3 1.3-2.2 1.3Z';
const deadHalf =
  'M26.5 4.25A10.75 10.75 0 0 1 36.75 15v12A10.75 10.75 0 0 1 26 37.75h-1l-3.1 5.5c-.4.7-1.1 1.7-1.9 1.7-.8 0-1.4-.5-1.9-1.2l-1.2-2Z';
const plateBehind = 'M17-1h12a12 12 0 0 1 12 12v12a12 12 0 0 1-12 12H17Z';
const bolt =
  'M21.6 9.5 12.8 20.6a.7.7 0 0 0 .55 1.13h5.15l-1.55 6.7c-.17.75.78 1.23 1.26.63l8.9-11.16a.7.7 0 0 0-.55-1.14h-5.2l1.5-6.63c.17-.75-.78-1.22-1.26-.63Z';
const cross = 'M13.5 14.5 26.5 27.5M26.5 14.5 13.5 27.5';
const threeTilesAndBolt = [
  ...([
    [10.5, 11.5],
    [21.5, 11.5],
    [10.5, 22.5],
  ].map(
    ([x, y]) =>
      `M${x} ${(y ?? 0) + 2.4}a2.4 2.4 0 0 1 2.4-2.4h3.2a2.4 2.4 0 0 1 2.4 2.4v3.2a2.4 2.4 0 0 1-2.4 2.4h-3.2a2.4 2.4 0 0 1-2.4-2.4Z`,
  ) as string[]),
  'M26.5 21.8l-4 5.2h2.6l-.7 4.2 4.4-5.6h-2.7Z',
].join('');
const circle = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
const platesBehind = { free: '#06592E', busy: '#A06A00', off: '#555E58' } as const;

const availabilityOf = ({ state, isFree }: MarkerLook) => (state === 'inactive' ? 'off' : isFree ? 'free' : 'busy');

/** The body has the colour of the availability; its right half is grey when a part is out of service. */
function availableBody(look: MarkerLook): MarkerShape[] {
  const shapes: MarkerShape[] = [{ path: body, fill: markerColours[availabilityOf(look)], stroke: white, width: 2.5 }];
  if (look.state === 'half') shapes.push({ path: deadHalf, fill: markerColours.off });
  return shapes;
}

const onBody = (look: MarkerLook) => (availabilityOf(look) === 'busy' && look.state === 'active' ? darkOnBusy : white);

/** A promotion has its own body; a dot at its corner shows the availability. */
function promoted(look: MarkerLook, colour: string, picture: MarkerShape[]): MarkerShape[] {
  return [
    { path: body, fill: colour, stroke: white, width: 2.5 },
    ...picture,
    { path: circle(36.5, 6, 5.2), fill: markerColours[availabilityOf(look)], stroke: white, width: 2 },
  ];
}

const drawings = {
  plain: (look) => [
    ...availableBody(look),
    look.state === 'inactive'
      ? { path: cross, stroke: white, width: 4 }
      : { path: bolt, fill: onBody(look), move: [0.2, 1.6] },
  ],
  hub: (look) => [
    { path: plateBehind, fill: platesBehind[availabilityOf(look)], stroke: white, width: 2.5 },
    ...availableBody(look),
    { path: threeTilesAndBolt, fill: onBody(look) },
  ],
  discount: (look) =>
    promoted(look, markerColours.discount, [
      { path: `M13.5 28 26.5 14${circle(14.3, 15.3, 2.7)}${circle(25.7, 26.7, 2.7)}`, stroke: white, width: 2.8 },
    ]),
  sun: (look) =>
    promoted(look, markerColours.sun, [
      { path: circle(20, 21, 4.6), fill: darkOnSun },
      {
        path: 'M20 10.8v2.1M20 29.1v2.1M9.8 21h2.1M28.1 21h2.1M12.8 13.8l1.5 1.5M25.7 26.7l1.5 1.5M12.8 28.2l1.5-1.5M25.7 15.3l1.5-1.5',
        stroke: darkOnSun,
        width: 2.5,
      },
    ]),
  event: (look) =>
    promoted(look, markerColours.event, [
      { path: 'M20 11.5c.2-1.6 1-2.6 2.6-3', stroke: white, width: 2.2 },
      { path: 'M20 13.3c5.8-2.6 10.5 1.6 10.5 8.2S26 32 20 30c-6 2-10.5-1.9-10.5-8.5s4.7-10.8 10.5-8.2Z', fill: white },
      {
        path: 'm14.2 21.3 2.3-3.6 2.3 3.6Zm7 0 2.3-3.6 2.3 3.6ZM14 24h12c-.7 2.8-3 4.2-6 4.2s-5.3-1.4-6-4.2Z',
        fill: markerColours.event,
      },
    ]),
} as const satisfies Record<MarkerKind, (look: MarkerLook) => MarkerShape[]>;

/** The same shapes for the canvas of the map and for lists and the legend. */
export function markerShapes(look: MarkerLook): MarkerShape[] {
  return drawings[look.kind](look);
}
