export interface ChunkPlace {
  lat: number;
  lon: number;
}

/**
 * A chunk is identified by its coordinates: `48.4647,35.0462`. Only the database rounds them (`stations.chunk`), so
 * that two roundings can never disagree about the stations of a marker.
 */
export function chunkPlace(chunk: string): ChunkPlace {
  const [lat = '', lon = ''] = chunk.split(',');
  return { lat: Number(lat), lon: Number(lon) };
}
