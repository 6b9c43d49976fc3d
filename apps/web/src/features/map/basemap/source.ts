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
export type MapLine =
  | { type: 'LineString'; coordinates: Position[] }
  | { type: 'MultiLineString'; coordinates: Position[][] };
interface Names {
  uk: string;
  en: string;
  pl: string;
}
/** 1 the capital, 2 centre of an oblast, 3 another town, 4 abroad. */
export interface MapCity extends Names {
  pop: number;
  cap: number;
}

/** The format of ukraine.geo.json; a test checks the file completely. */
export interface UkraineFile {
  countries: Features<{ c: string }, Area>;
  oblastLines: { geometries: MapLine[] };
  countryLines: { geometries: MapLine[] };
  oblastLabels: Features<Names, { coordinates: Position }>;
  water: Features<{ a: number }, Area>;
  rivers: Features<Partial<Names>, MapLine>;
  cities: Features<MapCity, { coordinates: Position }>;
}
