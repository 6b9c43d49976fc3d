import type { StationPhoto } from '@fpay/contract/stations';
import type { Database } from '../platform/database.ts';

/** Photos of stations for reading. */
export interface PhotoStore {
  /** In the order in which drivers see them. */
  of(station: number): Promise<StationPhoto[]>;
  /** The picture behind an address; null when it was removed. */
  picture(key: string, size: 'small' | 'large'): Promise<Buffer | null>;
}

export function createPhotoStore(db: Database): PhotoStore {
  return {
    of: (station) =>
      db
        .selectFrom('station_photos')
        .select(['key', 'width', 'height'])
        .where('station_id', '=', station)
        .orderBy('position')
        .orderBy('id')
        .execute(),

    async picture(key, size) {
      const row = await db
        .selectFrom('station_photos')
        .select(size === 'small' ? 'small as content' : 'large as content')
        .where('key', '=', key)
        .executeTakeFirst();
      return row?.content ?? null;
    },
  };
}
