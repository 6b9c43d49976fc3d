export interface ProblemPlace {
  lat: number;
  lon: number;
}

/** West, south, east and north of a map, in degrees. */
export type MapBox = readonly [number, number, number, number];

/** Percent of the width and of the height. */
export interface ScreenPlace {
  x: number;
  y: number;
}

/** Free space around, so that a pill at the edge is not cut off. */
const margin = 10;
/** A smaller network would be blown up until two chargers of one yard are far apart. */
const leastDegrees = 0.02;

/** Coordinates as places on the screen. North is up; Mercator's stretch is the same for a country. */
export function placed(places: readonly ProblemPlace[]): ScreenPlace[] {
  const lats = places.map(({ lat }) => lat);
  const lons = places.map(({ lon }) => lon);
  const scale = (all: number[]) => {
    const least = Math.min(...all);
    const most = Math.max(...all);
    const span = Math.max(most - least, leastDegrees);
    const middle = (most + least) / 2;
    return (value: number) => 0.5 + (value - middle) / span;
  };
  const [toX, toY] = [scale(lons), scale(lats)];
  const inside = (share: number) => Math.round(10 * (margin + share * (100 - 2 * margin))) / 10;
  return places.map(({ lat, lon }) => ({ x: inside(toX(lon)), y: inside(1 - toY(lat)) }));
}

const mercator = (lat: number) => Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360));

/** Places on a map that shows this box; outside of it they are below 0 or above 100. */
export function placedIn([west, south, east, north]: MapBox, places: readonly ProblemPlace[]): ScreenPlace[] {
  const [top, bottom] = [mercator(north), mercator(south)];
  const rounded = (share: number) => Math.round(1000 * share) / 10;
  return places.map(({ lat, lon }) => ({
    x: rounded((lon - west) / (east - west)),
    y: rounded((top - mercator(lat)) / (top - bottom)),
  }));
}

export const isOnScreen = ({ x, y }: ScreenPlace) => x >= 0 && x <= 100 && y >= 0 && y <= 100;

/** How far apart two pills must be, in percent. */
const apart = { x: 16, y: 8 };

/** Moves each place down, then up again from the top, until it covers no earlier one. */
export function spread(places: readonly ScreenPlace[]): ScreenPlace[] {
  const taken: ScreenPlace[] = [];
  const isFree = ({ x, y }: ScreenPlace) =>
    taken.every((other) => Math.abs(other.x - x) >= apart.x || Math.abs(other.y - y) >= apart.y);
  for (const { x, y } of places) {
    const rows = Math.floor((100 - 2 * margin) / apart.y) + 1;
    const candidates = Array.from({ length: rows }, (_, row) => {
      const moved = y + row * apart.y;
      return { x, y: moved <= 100 - margin ? moved : margin + (moved - (100 - margin)) };
    });
    taken.push(candidates.find(isFree) ?? { x, y });
  }
  return taken;
}
