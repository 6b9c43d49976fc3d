import type { MapChunk } from '@fpay/contract/stations';
import { describe, expect, it } from 'vitest';
import { createStationIndex, type IndexedStation, type Variant } from './atlas.ts';

function station(id: number, more: Partial<IndexedStation> = {}): IndexedStation {
  return {
    id,
    number: `F${1000 + id}`,
    address: 'A street',
    address_uk: 'Вулиця',
    chunk: '48.4647,35.0462',
    closedPartyId: null,
    is_online: true,
    connectors: [{ type: 'type2', status: 'free' }],
    ...more,
  };
}

function seen(json: Buffer): [string, string[]][] {
  return (JSON.parse(json.toString()) as MapChunk[]).map(({ lat, lon, stations }) => [
    `${lat},${lon}`,
    stations.map(({ number }) => number),
  ]);
}

describe('atlas', () => {
  it('puts stations of one place under one marker, in the order of their ids', () => {
    const atlas = createStationIndex();
    atlas.put(3, station(3), 10);
    atlas.put(2, station(2, { chunk: '50.4500,30.5230' }), 10);
    atlas.put(1, station(1), 10);
    expect(seen(atlas.whole(null))).toEqual([
      ['48.4647,35.0462', ['F1001', 'F1003']],
      ['50.45,30.523', ['F1002']],
    ]);
    expect(JSON.parse(atlas.whole(null).toString())[1]).toEqual({
      lat: 50.45,
      lon: 30.523,
      stations: [
        {
          number: 'F1002',
          address: 'A street',
          address_uk: 'Вулиця',
          is_online: true,
          connectors: [{ type: 'type2', status: 'free' }],
        },
      ],
    });
  });

  it('reports whether anything looks different', () => {
    const atlas = createStationIndex();
    expect(atlas.put(1, station(1), 10)).toBe(true);
    expect(atlas.put(1, station(1), 11)).toBe(false);
    expect(atlas.put(1, station(1, { is_online: false }), 12)).toBe(true);
    expect(atlas.put(2, null, 13)).toBe(false);
  });

  it('returns the chunks that changed since a version, and an empty one for a marker that is gone', () => {
    const atlas = createStationIndex();
    atlas.put(1, station(1), 10);
    atlas.put(2, station(2, { chunk: '50.4500,30.5230' }), 10);
    atlas.put(3, station(3, { chunk: '49.8380,24.0230' }), 10);
    expect(seen(atlas.changes(null, 10))).toEqual([]);
    atlas.put(2, station(2, { chunk: '50.4501,30.5230' }), 15);
    atlas.put(3, null, 16);
    expect(seen(atlas.changes(null, 14)).toSorted()).toEqual([
      ['49.838,24.023', []],
      ['50.45,30.523', []],
      ['50.4501,30.523', ['F1002']],
    ]);
    expect(seen(atlas.changes(null, 15))).toEqual([['49.838,24.023', []]]);
    expect(seen(atlas.whole(null))).toHaveLength(2);
  });

  it('repeats a chunk whose change was read before it was numbered', () => {
    const atlas = createStationIndex();
    atlas.put(1, station(1, { is_online: false }), 10);
    // Change 12 had already been read together with change 10.
    expect(atlas.put(1, station(1, { is_online: false }), 12)).toBe(false);
    expect(seen(atlas.changes(null, 11))).toHaveLength(1);
  });

  it('never shows outsiders a closed station, nor that there was one [PARTY-19]', () => {
    const atlas = createStationIndex();
    const closed = { closedPartyId: 7, chunk: '46.4770,30.7330' };
    atlas.put(1, station(1), 10);
    atlas.put(2, station(2, { closedPartyId: 7 }), 10);
    atlas.put(3, station(3, closed), 10);
    const views = (read: (variant: Variant) => Buffer) => [7, 8, null].map((variant) => seen(read(variant)));
    const whole = [
      ['48.4647,35.0462', ['F1001', 'F1002']],
      ['46.477,30.733', ['F1003']],
    ];
    const openOnly = [['48.4647,35.0462', ['F1001']]];
    expect(views(atlas.whole)).toEqual([whole, openOnly, openOnly]);

    atlas.put(3, station(3, { ...closed, is_online: false }), 20);
    expect(views((variant) => atlas.changes(variant, 19))).toEqual([[['46.477,30.733', ['F1003']]], [], []]);
    atlas.put(3, null, 21);
    expect(views((variant) => atlas.changes(variant, 20))).toEqual([[['46.477,30.733', []]], [], []]);
  });

  it('hides a station from outsiders when its party is closed, and shows it again when it is opened [PARTY-19]', () => {
    const atlas = createStationIndex();
    atlas.put(1, station(1), 10);
    atlas.put(1, station(1, { closedPartyId: 7 }), 11);
    expect(seen(atlas.changes(null, 10))).toEqual([['48.4647,35.0462', []]]);
    expect(seen(atlas.whole(7))).toEqual([['48.4647,35.0462', ['F1001']]]);
    atlas.put(1, station(1), 12);
    expect(seen(atlas.whole(null))).toEqual([['48.4647,35.0462', ['F1001']]]);
    atlas.put(1, station(1, { is_online: false }), 13);
    expect(atlas.whole(7).equals(atlas.whole(null))).toBe(true);
  });
});
