export interface Place {
  lat: number;
  lon: number;
}

/**
 * A chunk is named by its place: `48.4647,35.0462`. The database rounds (`stations.chunk`) and nobody else does, so that
 * two roundings can never disagree about who stands under which marker.
 */
export function chunkPlace(chunk: string): Place {
  const [lat = '', lon = ''] = chunk.split(',');
  return { lat: Number(lat), lon: Number(lon) };
}
