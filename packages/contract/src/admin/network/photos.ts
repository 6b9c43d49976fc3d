import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { PhotoKey } from '../../photos.ts';
import { noMoney } from '../../staff-money.ts';
import { StationNumber } from '../../stations.ts';

const manage = ['access-admin-page', 'view-network', 'manage-network'] as const;
const byNumber = z.object({ number: StationNumber });

/** More would not be looked at by a driver who stands in the rain. */
export const mostPhotos = 8;
/** Of the picture that is sent. Pages make it smaller before they send it. */
export const mostPhotoBytes = 2_000_000;
/** Base64 has four characters for three bytes. */
const mostPhotoText = Math.ceil(mostPhotoBytes / 3) * 4;

export const addPhoto = endpoint({
  method: 'POST',
  path: '/api/admin/network/stations/:number/photos',
  summary: 'Add a photo after the others; the server checks it and encodes it again without its metadata',
  access: manage,
  money: noMoney.network,
  params: byNumber,
  body: z.object({
    /** JPEG, PNG or WebP in Base64. */
    content: z
      .string()
      .check(z.minLength(1), z.maxLength(mostPhotoText), z.regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be Base64')),
  }),
  mostBodyBytes: mostPhotoText + 10_000,
  reply: z.object({ key: PhotoKey }),
  refusals: ['station_not_found', 'not_an_image', 'image_too_large', 'too_many_photos'],
});

export const orderPhotos = endpoint({
  method: 'PATCH',
  path: '/api/admin/network/stations/:number/photos',
  summary: 'The order of the photos of a station; the first one is the one that drivers see first',
  access: manage,
  money: noMoney.network,
  params: byNumber,
  body: z.object({ keys: z.array(PhotoKey).check(z.minLength(1), z.maxLength(mostPhotos)) }),
  refusals: ['station_not_found', 'action_not_applicable'],
});

export const removePhoto = endpoint({
  method: 'DELETE',
  path: '/api/admin/network/stations/:number/photos/:key',
  summary: 'Remove a photo of a station',
  access: manage,
  money: noMoney.network,
  params: z.extend(byNumber, { key: PhotoKey }),
  refusals: ['station_not_found', 'not_found'],
});
