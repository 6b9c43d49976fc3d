import { mapSinceHeader, mapVersionHeader } from '@fpay/contract/stations';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Variant } from './atlas.ts';
import { type MapEncoding, mapVersion } from './messages.ts';
import type { MapService } from './service.ts';

/** Sends the map from memory: nothing is read, drawn or compressed for a single request. */
export async function sendMap(
  map: MapService,
  variant: Variant,
  since: string | undefined,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const encoding = encodingFor(request.headers['accept-encoding']);
  const isVersion = since !== undefined && mapVersion.test(since);
  const answer = await (isVersion ? map.since(variant, encoding, since) : map.whole(variant, encoding));
  reply.headers({
    // Each party has its own map, so no shared cache may store one.
    'cache-control': 'private, no-cache',
    vary: 'accept-encoding, cookie',
    [mapVersionHeader]: answer.version,
  });
  if (answer.since !== null) reply.header(mapSinceHeader, answer.since);
  else {
    reply.header('etag', answer.etag);
    if (isNamed(answer.etag, request.headers['if-none-match'])) return reply.code(304).send();
  }
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  const { buffer, byteOffset, byteLength } = answer.body;
  return reply.type('application/json; charset=utf-8').send(Buffer.from(buffer, byteOffset, byteLength));
}

/** The first of our encodings that the client accepts. `q=0` means that it does not. */
export function encodingFor(accepted: string | string[] | undefined): MapEncoding {
  const offers = new Map(
    String(accepted ?? '')
      .toLowerCase()
      .split(',')
      .map((offer) => {
        const [name = '', ...parameters] = offer.split(';').map((part) => part.trim());
        return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))] as const;
      }),
  );
  return (['br', 'gzip'] as const).find((encoding) => offers.get(encoding) ?? false) ?? 'identity';
}

function isNamed(etag: string, ifNoneMatch: string | undefined): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
