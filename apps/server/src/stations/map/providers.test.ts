import { expect, test } from 'vitest';
import { mapSettings, openFreeMap, tileHosts } from './providers.ts';

const none = { MAP_TILES_ATTRIBUTION: '', SATELLITE_TILES_ATTRIBUTION: '' };
const pictures = 'https://{a-c}.tiles.example/{z}/{x}/{y}.png';

test('the base map is OpenFreeMap unless another provider or none is set [MAP-23]', () => {
  const base = (variables: object) => mapSettings({ ...none, ...variables }).base;
  expect(base({})).toEqual(openFreeMap);
  expect(base({ MAP_TILES_KIND: 'offline', MAP_TILES_URL: pictures })).toMatchObject({ kind: 'offline', url: null });
  expect(base({ MAP_TILES_URL: pictures })).toMatchObject({ kind: 'xyz', url: pictures, maxZoom: 17, tileSize: 256 });
  expect(base({ MAP_TILES_KIND: 'mvt', MAP_TILES_URL: 'https://own.example/planet' })).toMatchObject({
    kind: 'mvt',
    url: 'https://own.example/planet',
    maxZoom: 14,
    tileSize: 512,
  });
});

test('the page may load from exactly the hosts of its map providers', () => {
  const hosts = (variables: object) => tileHosts(mapSettings({ ...none, ...variables }));
  expect(hosts({})).toEqual({ images: [], calls: ['https://tiles.openfreemap.org'] });
  expect(hosts({ MAP_TILES_KIND: 'offline' })).toEqual({ images: [], calls: [] });
  expect(hosts({ MAP_TILES_URL: pictures })).toEqual({ images: ['https://*.tiles.example'], calls: [] });
  expect(hosts({ MAP_TILES_KIND: 'pmtiles', MAP_TILES_URL: 'https://files.example/ukraine.pmtiles' })).toEqual({
    images: [],
    calls: ['https://files.example'],
  });
  expect(hosts({ SATELLITE_TILES_URL: 'http://127.0.0.1:9000/{z}/{x}/{y}.jpg' })).toEqual({
    images: ['http://127.0.0.1:9000'],
    calls: ['https://tiles.openfreemap.org'],
  });
});
