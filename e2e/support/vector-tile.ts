/** A vector tile that is completely water, in the format of the Mapbox Vector Tile specification 2.1. */
export function tileOfWater(): Buffer {
  const extent = 4096;
  const [moveTo, lineTo, closePath] = [1, 2, 7];
  const command = (id: number, times: number) => (times << 3) | id;
  const zigzag = (value: number) => (value << 1) ^ (value >> 31);
  const square = [
    ...[command(moveTo, 1), zigzag(0), zigzag(0)],
    ...[command(lineTo, 3), zigzag(extent), zigzag(0), zigzag(0), zigzag(extent), zigzag(-extent), zigzag(0)],
    command(closePath, 1),
  ];
  const [polygon, version] = [3, 2];
  const feature = [...number(3, polygon), ...bytes(4, square.flatMap(varint))];
  const layer = [
    ...bytes(1, [...Buffer.from('water')]),
    ...bytes(2, feature),
    ...number(5, extent),
    ...number(15, version),
  ];
  return Buffer.from(bytes(3, layer));
}

/** A field of a protocol buffer: its number and kind, then its value. */
const number = (field: number, value: number) => [...varint(field << 3), ...varint(value)];
const bytes = (field: number, value: number[]) => [...varint((field << 3) | 2), ...varint(value.length), ...value];

/** Seven bits per byte, the lowest first. */
function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}
