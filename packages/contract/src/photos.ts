import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** Apart from stations.ts, because the first load of a station's page contains that file. */

/** The public name of a photo. Its picture never changes. */
export const PhotoKey = z.string().check(z.regex(/^[0-9a-f]{32}$/));

export const photoSizes = ['small', 'large'] as const;

export const getPhoto = endpoint({
  method: 'GET',
  path: '/api/photo/:key/:size',
  summary: 'A photo of a station; browsers and proxies may keep it for ever',
  access: 'anyone',
  params: z.object({ key: PhotoKey, size: z.enum(photoSizes) }),
  produces: 'image/webp',
  refusals: ['not_found'],
});
