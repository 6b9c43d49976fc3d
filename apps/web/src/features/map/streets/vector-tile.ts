import { ProtobufReader } from './protobuf.ts';

export type TileValue = string | number | boolean;

/** A shape of a vector tile. Its points are pixels of the tile: x, y, x, y … */
export interface TileFeature {
  kind: 'point' | 'line' | 'area';
  properties: Readonly<Record<string, TileValue>>;
  paths: number[][];
  /** Left, top, right, bottom. */
  box: readonly [number, number, number, number];
}

export interface VectorLayer {
  /** The width of the tile in its own pixels. */
  extent: number;
  features: TileFeature[];
}

const kinds = [null, 'point', 'line', 'area'] as const;
const [moveTo, closePath] = [1, 7];
const usualExtent = 4096;

/**
 * Reads a tile in the format of the Mapbox Vector Tile specification 2.1. Only the named layers are read, because a
 * tile of a city has thousands of shapes that no map of ours draws.
 */
export function readVectorTile(bytes: Uint8Array, wanted: ReadonlySet<string>): Map<string, VectorLayer> {
  const layers = new Map<string, VectorLayer>();
  new ProtobufReader(bytes).eachField((field, reader) => {
    if (field !== 3) return;
    const [from, to] = reader.range();
    const name = nameOfLayer(bytes, from, to);
    if (wanted.has(name)) layers.set(name, readLayer(bytes, from, to));
  });
  return layers;
}

function nameOfLayer(bytes: Uint8Array, from: number, to: number): string {
  let name = '';
  new ProtobufReader(bytes, from, to).eachField((field, reader) => {
    if (field === 1) name = reader.text();
  });
  return name;
}

function readLayer(bytes: Uint8Array, from: number, to: number): VectorLayer {
  const keys: string[] = [];
  const values: TileValue[] = [];
  const features: (readonly [number, number])[] = [];
  let extent = usualExtent;
  new ProtobufReader(bytes, from, to).eachField((field, reader) => {
    if (field === 2) features.push(reader.range());
    else if (field === 3) keys.push(reader.text());
    else if (field === 4) values.push(readValue(bytes, ...reader.range()));
    else if (field === 5) extent = reader.varint();
  });
  return { extent, features: features.flatMap(([start, end]) => readFeature(bytes, start, end, keys, values)) };
}

function readValue(bytes: Uint8Array, from: number, to: number): TileValue {
  let value: TileValue = '';
  new ProtobufReader(bytes, from, to).eachField((field, reader) => {
    if (field === 1) value = reader.text();
    else if (field === 2) value = reader.float();
    else if (field === 3) value = reader.double();
    else if (field === 6) value = unzigzag(reader.varint());
    else if (field === 7) value = reader.varint() !== 0;
    else value = reader.varint();
  });
  return value;
}

function readFeature(
  bytes: Uint8Array,
  from: number,
  to: number,
  keys: readonly string[],
  values: readonly TileValue[],
): TileFeature[] {
  let kind: TileFeature['kind'] | null = null;
  const properties: Record<string, TileValue> = {};
  let paths: number[][] = [];
  new ProtobufReader(bytes, from, to).eachField((field, reader) => {
    if (field === 2) {
      const [start, end] = reader.range();
      const tags = new ProtobufReader(bytes, start, end);
      while (!tags.isAtEnd()) {
        const key = keys[tags.varint()];
        const value = values[tags.varint()];
        if (key !== undefined && value !== undefined) properties[key] = value;
      }
    } else if (field === 3) kind = kinds[reader.varint()] ?? null;
    else if (field === 4) paths = readPaths(bytes, ...reader.range());
  });
  return kind && paths.length > 0 ? [{ kind, properties, paths, box: boxOf(paths) }] : [];
}

/** The commands of a shape; each "move to" begins a new path. */
function readPaths(bytes: Uint8Array, from: number, to: number): number[][] {
  const reader = new ProtobufReader(bytes, from, to);
  const paths: number[][] = [];
  let path: number[] = [];
  let [x, y] = [0, 0];
  while (!reader.isAtEnd()) {
    const command = reader.varint();
    const id = command & 7;
    if (id === closePath) continue;
    for (let times = command >> 3; times > 0 && !reader.isAtEnd(); times--) {
      x += unzigzag(reader.varint());
      y += unzigzag(reader.varint());
      if (id === moveTo) {
        path = [];
        paths.push(path);
      }
      path.push(x, y);
    }
  }
  return paths;
}

function unzigzag(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}

function boxOf(paths: readonly number[][]): TileFeature['box'] {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const path of paths) {
    for (let at = 0; at < path.length; at += 2) {
      const x = path[at] as number;
      const y = path[at + 1] as number;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
  }
  return [left, top, right, bottom];
}
