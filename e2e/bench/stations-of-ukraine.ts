import type { MapChunk } from '../../packages/contract/src/stations.ts';

const cities = [
  { name: 'Київ', lat: 50.45, lon: 30.52, share: 0.24 },
  { name: 'Харків', lat: 49.99, lon: 36.23, share: 0.11 },
  { name: 'Дніпро', lat: 48.46, lon: 35.05, share: 0.11 },
  { name: 'Одеса', lat: 46.48, lon: 30.73, share: 0.1 },
  { name: 'Львів', lat: 49.84, lon: 24.03, share: 0.1 },
  { name: 'Вінниця', lat: 49.23, lon: 28.47, share: 0.05 },
  { name: 'Полтава', lat: 49.59, lon: 34.55, share: 0.04 },
];
const types = ['ccstype2', 'type2', 'chademo', 'gbtdc', 'gbtac', 'type1', 'nacs'] as const;
const statuses = ['free', 'free', 'free', 'charging', 'occupied', 'oos'] as const;

/**
 * Generates a large network: most stations are in and around the large cities, the rest is spread over the country.
 * Each run gives the same result.
 */
export function stationsOfUkraine(count: number): MapChunk[] {
  const random = seeded(20261115);
  const spread = () => (random() + random() + random() - 1.5) / 1.5;
  const chunks = new Map<string, MapChunk>();
  for (let index = 0; index < count; index++) {
    const city = cityAt(random());
    const lat = (city ? city.lat + spread() * 0.35 : 45.5 + random() * 6.5).toFixed(4);
    const lon = (city ? city.lon + spread() * 0.5 : 23 + random() * 16).toFixed(4);
    const chunk = chunks.get(`${lat},${lon}`) ?? { lat: Number(lat), lon: Number(lon), stations: [] };
    chunks.set(`${lat},${lon}`, chunk);
    chunk.stations.push({
      number: `F${10_000 + index}`,
      address: `Main St, ${1 + (index % 200)}, ${city?.name ?? 'M06'}`,
      address_uk: `вул. Головна, ${1 + (index % 200)}, ${city?.name ?? 'траса М06'}`,
      is_online: random() > 0.06,
      connectors: Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
        type: types[Math.floor(random() ** 2 * types.length)] ?? 'ccstype2',
        status: statuses[Math.floor(random() * statuses.length)] ?? 'free',
      })),
    });
  }
  return [...chunks.values()];
}

/** The city for a random number between 0 and 1; a number above all shares gives none. */
function cityAt(draw: number) {
  let upTo = 0;
  return cities.find(({ share }) => {
    upTo += share;
    return draw < upTo;
  });
}

/** Mulberry32: small, and good enough for scattering points. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}
