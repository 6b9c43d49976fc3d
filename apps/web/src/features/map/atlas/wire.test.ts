import { describe, expect, it } from 'vitest';
import { chunksOnWire, readChunk } from './wire.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const stationOf = (number: string, address = 'Main St') => ({
  number,
  address,
  address_uk: 'вул. Головна',
  is_online: true,
  connectors: [{ type: 'ccstype2', status: 'free' }],
});

/** The position of each chunk, and its content after parsing. */
function read(text: string) {
  return chunksOnWire(bytesOf(text)).map((chunk) => ({ lat: chunk.lat, lon: chunk.lon, whole: readChunk(chunk) }));
}
const expected = (chunks: { lat: number; lon: number }[]) =>
  chunks.map((chunk) => ({ lat: chunk.lat, lon: chunk.lon, whole: chunk }));

describe('the map on the wire', () => {
  it('is split without parsing, and parses like JSON', () => {
    const chunks = [
      { lat: 48.4647, lon: 35.0462, stations: [stationOf('F1'), stationOf('F2')] },
      { lat: -0.1, lon: 0, stations: [] },
      { lat: 50, lon: -30.5234, stations: [stationOf('F3')] },
    ];
    expect(read(JSON.stringify(chunks))).toEqual(expected(chunks));
    expect(read('[]')).toEqual([]);
  });

  it.each(['"', '\\', '\\"', ']},{"lat":1', '{[', '}]', ',', '\u2028 ₴'])(
    'keeps an address with %s complete',
    (address) => {
      const chunks = [
        { lat: 48.4, lon: 35, stations: [stationOf('F1', address)] },
        { lat: 48.5, lon: 35.1, stations: [stationOf('F2')] },
      ];
      expect(read(JSON.stringify(chunks))).toEqual(expected(chunks));
    },
  );

  it('may be written differently: other order, spaces, long numbers', () => {
    const chunks = [
      { stations: [stationOf('F1')], lon: 35.0462, lat: 48.4647 },
      { lat: 48.4647, lon: 1e-7, stations: [stationOf('F2')] },
    ];
    for (const spaces of [0, 2, '\t']) {
      expect(read(` ${JSON.stringify(chunks, null, spaces)}\n`)).toEqual(expected(chunks));
    }
    for (const lat of ['4.84647e1', '48.12345678901234567', '-0', '0.30000000000000004']) {
      expect(read(`[{"lat":${lat},"lon":${lat},"stations":[]}]`)).toMatchObject([
        { lat: Number(lat), lon: Number(lat) },
      ]);
    }
  });

  it('skips what is no chunk', () => {
    const whole = { lat: 48.4, lon: 35, stations: [] };
    const text = JSON.stringify([null, 7, 'text', [1, [2]], whole, { lat: 1 }, { lat: '1', lon: 2, stations: [] }]);
    expect(read(text)).toEqual(expected([whole]));
    expect(read('[{"lat":1,"lon":2,"more":3}]')).toEqual([]);
  });

  it.each([
    '{"message":"No"}',
    '',
    '<!doctype html>',
    '[{"lat":1,"lon":2,"stations":[',
    '[{"lat":1,"lon":2,"stations":[]}',
    '[1 2]',
    '["open',
  ])('is refused when it is not a complete list: %s', (text) => {
    expect(() => read(text)).toThrow();
  });
});
