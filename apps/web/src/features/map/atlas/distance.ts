export interface Point {
  lat: number;
  lon: number;
}

const earthKm = 6371;

/** Straight-line distance, which is enough to compare stations. */
export function distanceKm(a: Point, b: Point): number {
  const radians = Math.PI / 180;
  const cosine = Math.cos(((a.lat + b.lat) / 2) * radians);
  return earthKm * radians * Math.hypot(a.lat - b.lat, (a.lon - b.lon) * cosine);
}
