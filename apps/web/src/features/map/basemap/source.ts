type Position = number[];
interface Feature<Properties, Geometry> {
  properties: Properties;
  geometry: Geometry;
}
interface Features<Properties, Geometry> {
  features: Feature<Properties, Geometry>[];
}
export type Area =
  | { type: 'Polygon'; coordinates: Position[][] }
  | { type: 'MultiPolygon'; coordinates: Position[][][] };
export type Line =
  | { type: 'LineString'; coordinates: Position[] }
  | { type: 'MultiLineString'; coordinates: Position[][] };
interface Names {
  uk: string;
  en: string;
  pl: string;
}
/** 1 the capital, 2 centre of an oblast, 3 another town, 4 abroad. */
export interface City extends Names {
  pop: number;
  cap: number;
}

/** ukraine.geo.json as it lies there; its own test reads it whole. */
export interface UkraineFile {
  countries: Features<{ c: string }, Area>;
  oblastLines: { geometries: Line[] };
  countryLines: { geometries: Line[] };
  oblastLabels: Features<Names, { coordinates: Position }>;
  water: Features<{ a: number }, Area>;
  rivers: Features<Partial<Names>, Line>;
  cities: Features<City, { coordinates: Position }>;
}
