import { createHash, randomBytes } from 'node:crypto';
import { mostPhotoBytes, mostPhotos } from '@fpay/contract/admin/network/photos';
import { type Audit, noRecord } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';
import { createCatalogue } from './catalogue.ts';
import type { PhotoEncoder } from './photo-encoder.ts';

/** What staff may do to the photos of a station, on record. */
export interface PhotoStaff {
  /**
   * Adds a photo after the others and returns its key. The same file again returns the key that it has.
   * @refuses station_not_found, not_an_image, image_too_large, too_many_photos
   */
  add(staff: number, number: string, content: string): Promise<string>;
  /** @refuses station_not_found, action_not_applicable */
  order(staff: number, number: string, keys: readonly string[]): Promise<void>;
  /** @refuses station_not_found, not_found */
  remove(staff: number, number: string, key: string): Promise<void>;
}

interface Dependencies {
  steps: Steps;
  clock: Clock;
  audit: Audit;
  encoder: PhotoEncoder;
}

const keyBytes = 16;

export function createPhotoStaff({ steps, clock, audit, encoder }: Dependencies): PhotoStaff {
  async function lock(step: Step, number: string): Promise<number> {
    const station = await createCatalogue(step).lockStation(number);
    if (!station) throw new Refusal('station_not_found');
    return station.id;
  }
  const photosOf = (step: Step, station: number) =>
    step.db
      .selectFrom('station_photos')
      .select(['id', 'key', 'position', 'source_hash'])
      .where('station_id', '=', station)
      .orderBy('position')
      .orderBy('id')
      .execute();
  const subject = (id: number) => ({ kind: 'station', id }) as const;

  /** The key of a photo of this station that was made of the same bytes. */
  async function known(step: Step, number: string, hash: Buffer): Promise<string | null> {
    const photos = await photosOf(step, await lock(step, number));
    return photos.find(({ source_hash }) => source_hash.equals(hash))?.key ?? refuseWhenFull(photos.length);
  }

  return {
    async add(staff, number, content) {
      const sent = Buffer.from(content, 'base64');
      if (sent.length > mostPhotoBytes) throw new Refusal('image_too_large');
      const hash = createHash('sha256').update(sent).digest();
      // Encoding takes long, so the station is not locked meanwhile; what is refused anyway is refused before it.
      const earlier = await steps.run((step) => known(step, number, hash));
      if (earlier !== null) {
        noRecord('unchanged');
        return earlier;
      }
      const { width, height, large, small } = await encoder.encode(sent);
      return steps.run(async (step) => {
        const station = await lock(step, number);
        const photos = await photosOf(step, station);
        const same = photos.find(({ source_hash }) => source_hash.equals(hash));
        if (same) {
          noRecord('unchanged');
          return same.key;
        }
        refuseWhenFull(photos.length);
        const key = randomBytes(keyBytes).toString('hex');
        const position = (photos.at(-1)?.position ?? 0) + 1;
        await step.db
          .insertInto('station_photos')
          .values({
            station_id: station,
            key,
            position,
            width,
            height,
            large,
            small,
            source_hash: hash,
            created_at: clock.now(),
          })
          .execute();
        const after = { key, width, height, bytes: large.length };
        await audit(step, { staff, action: 'station.photo-add', subject: subject(station), after });
        return key;
      });
    },

    order: (staff, number, keys) =>
      steps.run(async (step) => {
        const station = await lock(step, number);
        const photos = await photosOf(step, station);
        const present = photos.map(({ key }) => key);
        // Another person added or removed one meanwhile, so this order is not about the present photos.
        const wanted = new Set(keys);
        const isSame = wanted.size === keys.length && keys.length === present.length;
        if (!isSame || !present.every((key) => wanted.has(key))) throw new Refusal('action_not_applicable');
        if (keys.every((key, index) => key === present[index])) return noRecord('unchanged');
        for (const [index, key] of keys.entries()) {
          await step.db
            .updateTable('station_photos')
            .set({ position: index + 1 })
            .where('key', '=', key)
            .where('station_id', '=', station)
            .execute();
        }
        const record = { before: { keys: present }, after: { keys } };
        await audit(step, { staff, action: 'station.photo-order', subject: subject(station), ...record });
      }),

    remove: (staff, number, key) =>
      steps.run(async (step) => {
        const station = await lock(step, number);
        const gone = await step.db
          .deleteFrom('station_photos')
          .where('key', '=', key)
          .where('station_id', '=', station)
          .returning('key')
          .executeTakeFirst();
        if (!gone) throw new Refusal('not_found');
        await audit(step, { staff, action: 'station.photo-remove', subject: subject(station), before: { key } });
      }),
  };
}

function refuseWhenFull(count: number): null {
  if (count >= mostPhotos) throw new Refusal('too_many_photos');
  return null;
}
