/** A shape for a vector tile; its points are pixels of the tile, which is 4096 wide. */
export interface TileShape {
  kind: 'point' | 'line' | 'area';
  points: readonly (readonly [x: number, y: number])[];
  properties: Readonly<Record<string, string | number>>;
}

export const tileExtent = 4096;
const kinds = { point: 1, line: 2, area: 3 } as const;
const [moveTo, lineTo, closePath] = [1, 2, 7];
const version = 2;

/** Encodes layers in the format of the Mapbox Vector Tile specification 2.1. */
export function encodeTile(layers: Readonly<Record<string, readonly TileShape[]>>): Buffer {
  const parts = Object.entries(layers).flatMap(([name, shapes]) =>
    shapes.length > 0 ? bytes(3, layer(name, shapes)) : [],
  );
  return Buffer.from(parts);
}

/** A tile that is completely water. */
export function tileOfWater(): Buffer {
  const corners = [
    [0, 0],
    [tileExtent, 0],
    [tileExtent, tileExtent],
    [0, tileExtent],
  ] as const;
  return encodeTile({ water: [{ kind: 'area', points: corners, properties: {} }] });
}

function layer(name: string, shapes: readonly TileShape[]): number[] {
  const keys: string[] = [];
  const values: (string | number)[] = [];
  const indexIn = <Item>(list: Item[], item: Item) => {
    if (!list.includes(item)) list.push(item);
    return list.indexOf(item);
  };
  const features = shapes.flatMap(({ kind, points, properties }) => {
    const tags = Object.entries(properties).flatMap(([key, value]) => [indexIn(keys, key), indexIn(values, value)]);
    return bytes(2, [
      ...bytes(2, tags.flatMap(varint)),
      ...number(3, kinds[kind]),
      ...bytes(4, commands(kind, points).flatMap(varint)),
    ]);
  });
  return [
    ...number(15, version),
    ...bytes(1, [...Buffer.from(name)]),
    ...features,
    ...keys.flatMap((key) => bytes(3, [...Buffer.from(key)])),
    ...values.flatMap((value) =>
      bytes(4, typeof value === 'string' ? bytes(1, [...Buffer.from(value)]) : number(4, value)),
    ),
    ...number(5, tileExtent),
  ];
}

function commands(kind: TileShape['kind'], points: TileShape['points']): number[] {
  const command = (id: number, times: number) => (times << 3) | id;
  let [x, y] = [0, 0];
  const steps = points.map(([toX, toY]) => {
    const step = [zigzag(Math.round(toX) - x), zigzag(Math.round(toY) - y)];
    [x, y] = [Math.round(toX), Math.round(toY)];
    return step;
  });
  const [first = [], ...rest] = steps;
  const lines = rest.length > 0 ? [command(lineTo, rest.length), ...rest.flat()] : [];
  return [command(moveTo, 1), ...first, ...lines, ...(kind === 'area' ? [command(closePath, 1)] : [])];
}

const zigzag = (value: number) => (value < 0 ? -value * 2 - 1 : value * 2);

/** A field of a protocol buffer: its number and kind, then its value. */
const number = (field: number, value: number) => [...varint(field << 3), ...varint(value)];
const bytes = (field: number, value: number[]) => [...varint((field << 3) | 2), ...varint(value.length), ...value];

/** Seven bits per byte, the lowest first. */
function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
}
