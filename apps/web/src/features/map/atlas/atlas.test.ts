import type { ConnectorStatus, ConnectorType } from '@fpay/contract/connectors';
import type { MapChunk } from '@fpay/contract/stations';
import { describe, expect, it } from 'vitest';
import { placesIn } from './answers.ts';
import { createAtlas } from './atlas.ts';
import type { Marker } from './markers.ts';

interface Given {
  number: string;
  lat?: number;
  lon?: number;
  is_online?: boolean;
  address?: string;
  address_uk?: string;
  plugs?: [ConnectorType, ConnectorStatus][];
}

function chunk(...stations: Given[]): MapChunk {
  const [{ lat = 48.4647, lon = 35.0462 } = {}] = stations;
  return {
    lat,
    lon,
    stations: stations.map(({ number, is_online = true, address = 'Main St', address_uk = 'вул. Головна', plugs }) => ({
      number,
      address,
      address_uk,
      is_online,
      connectors: (plugs ?? [['ccstype2', 'free']]).map(([type, status]) => ({ type, status })),
    })),
  };
}

const everywhere = [21, 44, 41, 53] as const;
const near = { lat: 48.4647, lon: 35.0462 };
/** Degrees of longitude per pixel at this zoom. */
const pixel = (zoom: number) => 360 / (256 * 2 ** zoom);
const countIn = (marker: Marker) => (marker.kind === 'cluster' ? marker.free + marker.busy + marker.off : 1);

function atlasOf(...chunks: MapChunk[]) {
  const atlas = createAtlas();
  atlas.load(placesOf(chunks), true);
  return atlas;
}

/** Places as they arrive from the server. */
function placesOf(chunks: readonly MapChunk[]) {
  return placesIn(new TextEncoder().encode(JSON.stringify(chunks)).buffer);
}

describe('the markers of the map', () => {
  it('are merged within 10 pixels, and stay separate beyond [MAP-02]', () => {
    const at = (px: number) => chunk({ number: 'F2', lon: 35.0462 + px * pixel(11) });
    const seen = (px: number) =>
      atlasOf(chunk({ number: 'F1' }), at(px))
        .markers({ box: everywhere, zoom: 11 })
        .map(({ kind }) => kind);
    expect(seen(9)).toEqual(['cluster']);
    expect(seen(11)).toEqual(['place', 'place']);
  });

  it('are limited: the grid is widened to 20, 40, 80 until 250 are left [MAP-02]', () => {
    const places = Array.from({ length: 900 }, (_, index) =>
      chunk({
        number: `F${index}`,
        lon: 35 + (index % 30) * 12 * pixel(11),
        lat: 48.4 + Math.floor(index / 30) * 12 * pixel(11) * Math.cos((48.4 * Math.PI) / 180),
      }),
    );
    const atlas = atlasOf(...places);
    const markers = atlas.markers({ box: [34.9, 48.3, 35.4, 48.7], zoom: 11 });
    expect(markers.length).toBeLessThanOrEqual(250);
    expect(markers.length).toBeGreaterThan(50);
    expect(markers.reduce((sum, marker) => sum + countIn(marker), 0)).toBe(900);
    // A part of the map fits without widening.
    const few = atlas.markers({ box: [34.999, 48.399, 35 + 10 * 12 * pixel(11), 48.45], zoom: 11 });
    expect(few.length).toBeGreaterThan(2);
  });

  it('count stations by their availability', () => {
    const atlas = atlasOf(
      chunk({ number: 'F1' }, { number: 'F2', plugs: [['type2', 'charging']] }),
      chunk({ number: 'F3', is_online: false, lon: 35.0462 + 3 * pixel(11) }),
    );
    const [marker] = atlas.markers({ box: everywhere, zoom: 11 });
    expect(marker).toMatchObject({ kind: 'cluster', free: 1, busy: 1, off: 1 });
  });

  it('are filtered by the chosen connector types [MAP-03]', () => {
    const atlas = atlasOf(
      chunk({ number: 'F1', plugs: [['ccstype2', 'free']] }),
      chunk({ number: 'F2', lon: 36, plugs: [['type2', 'free']] }),
      chunk({ number: 'F3', lon: 37, plugs: [['chademo', 'free'], ['type2', 'oos']] }), // biome-ignore format: one row each
    );
    const shown = () => atlas.markers({ box: everywhere, zoom: 11 }).map(({ lon }) => lon);
    atlas.setFilter(['type2']);
    expect(shown()).toEqual([36, 37]);
    expect(atlas.counts()).toMatchObject({ stations: 2, byType: { ccstype2: 1, type2: 2, chademo: 1, nacs: 0 } });
    atlas.setFilter(['type2', 'ccstype2']);
    expect(shown()).toEqual([35.0462, 36, 37]);
    atlas.setFilter([]);
    expect(shown()).toEqual([35.0462, 36, 37]);
  });

  it('follow the changes and removals that the server sends', () => {
    const atlas = atlasOf(chunk({ number: 'F1' }), chunk({ number: 'F2', lon: 36 }));
    atlas.load(
      placesOf([
        chunk({ number: 'F1', is_online: false }),
        { lat: 48.4647, lon: 36, stations: [] },
        chunk({ number: 'F9', lon: 37 }),
      ]),
      false,
    );
    const markers = atlas.markers({ box: everywhere, zoom: 11 });
    expect(markers.map(({ lon }) => lon)).toEqual([35.0462, 37]);
    expect(markers[0]).toMatchObject({ look: { state: 'inactive' } });
  });

  it('return their stations when pressed: of one place, or of a whole group', () => {
    const atlas = atlasOf(
      chunk({ number: 'F1' }, { number: 'F2' }),
      chunk({ number: 'F3', lon: 35.0462 + 3 * pixel(11) }),
    );
    const [marker] = atlas.markers({ box: everywhere, zoom: 11 });
    if (marker?.kind !== 'cluster') throw new Error('They should be a group');
    const numbers = atlas.members(marker.parts).flatMap(({ stations }) => stations.map(({ number }) => number));
    expect(numbers.sort()).toEqual(['F1', 'F2', 'F3']);
    expect(atlas.place('48.4647,35.0462')?.stations).toHaveLength(2);
    expect([atlas.members([{ level: 10, id: 99_999 }]), atlas.place('0,0')]).toEqual([[], null]);
  });
});

describe('search', () => {
  const atlas = atlasOf(
    chunk({ number: 'F1403', address: 'Slobozhanskyi Ave, 31', address_uk: 'просп. Слобожанський, 31' }),
    chunk({ number: 'F1400', lon: 35.2, address: 'Naberezhna St, 33', address_uk: 'вул. Набережна, 33' }),
    chunk({ number: 'F2314', lon: 35.1, address: 'Soborna Sq, 1', address_uk: 'Соборна площа, 1' }),
    chunk({ number: 'F1409', lon: 35.06, is_online: false }),
  );
  const found = (typed: string) => atlas.search(typed, near).map(({ station }) => station.number);

  it('finds by number and by address in either language, in any case [MAP-04]', () => {
    expect(found('f1403')).toEqual(['F1403']);
    expect(found('СЛОБОЖАН')).toEqual(['F1403']);
    expect(found('  naberezhna ')).toEqual(['F1400']);
    expect([found('nowhere'), found('  ')]).toEqual([[], []]);
  });

  it('lists the nearest first, and before them the one with exactly this number', () => {
    expect(found('14')).toEqual(['F1403', 'F2314', 'F1400', 'F1409']);
    expect(found('F14')).toEqual(['F1403', 'F1400', 'F1409']);
    expect(found('f1400')).toEqual(['F1400']);
    const other = atlasOf(chunk({ number: 'F12' }), chunk({ number: 'F1', lon: 35.3 }));
    expect(other.search('f1', near).map(({ station }) => station.number)).toEqual(['F1', 'F12']);
  });

  it('lists online stations first; an offline one is found as offline after them [MAP-05]', () => {
    const [first, ...others] = atlas.search('F14', near).map(({ station }) => station.is_online);
    expect([first, others]).toEqual([true, [true, false]]);
    expect(found('F1409')).toEqual(['F1409']);
  });

  it('returns at most ten [MAP-05]', () => {
    const many = atlasOf(
      ...Array.from({ length: 12 }, (_, index) => chunk({ number: `F50${index}`, lon: 35 + index / 10 })),
    );
    expect(many.search('F50', near)).toHaveLength(10);
  });
});

describe('the list beside the map', () => {
  it('has the stations on the screen that match the filter, the nearest to the centre first', () => {
    const atlas = atlasOf(
      chunk({ number: 'F1', lon: 35.0 }),
      chunk({ number: 'F2', lon: 35.05 }),
      chunk({ number: 'F3', lon: 36 }),
      chunk({ number: 'F4', lon: 35.04, plugs: [['type2', 'free']] }),
    );
    atlas.setFilter(['ccstype2']);
    const box = [34.99, 48.4, 35.11, 48.5] as const;
    const { total, rows } = atlas.inView({ box, zoom: 11 }, 50);
    expect([total, rows.map(({ station }) => station.number)]).toEqual([2, ['F2', 'F1']]);
    expect(atlas.inView({ box, zoom: 11 }, 1)).toMatchObject({ total: 2, rows: [{ station: { number: 'F2' } }] });
  });
});

describe('an invalid chunk', () => {
  it('is not on the map, while the others are', () => {
    const whole = chunk({ number: 'F1', lon: 36 });
    const text = `[{"lat":48.4647,"lon":35,"stations":[{"number":}]},${JSON.stringify(whole)}]`;
    const atlas = createAtlas();
    atlas.load(placesIn(new TextEncoder().encode(text).buffer), true);
    expect(atlas.markers({ box: everywhere, zoom: 11 }).map(({ lon }) => lon)).toEqual([36]);
  });
});

describe('an unknown connector type', () => {
  it('is not shown [CONN-04]', () => {
    const strange = chunk({ number: 'F1', plugs: [['ccstype2', 'free'], ['no-such-plug' as never, 'free']] }); // biome-ignore format: short
    const [row] = atlasOf(strange).search('F1', near);
    expect(row?.station.connectors).toEqual([{ type: 'ccstype2', status: 'free' }]);
  });
});
