import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Variant } from './atlas.ts';
import type { MapEncoding } from './messages.ts';

/**
 * Measured with 50,000 stations (`bench/map.ts`): quality 3 makes 1.82 MB in 190 ms of processor time, 4 makes 1.54 MB
 * in 340 ms, 5 makes 1.33 MB in 410 ms, 6 makes 1.27 MB in 570 ms. Each millisecond delays a change by as much.
 */
const brotliQuality = 4;
const gzipLevel = 6;

const packers = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: gzipLevel }),
  identity: async (bytes) => bytes,
} as const satisfies Record<MapEncoding, (bytes: Buffer) => Promise<Buffer>>;

/** Compression runs on libuv's threads, so the worker goes on answering meanwhile. */
export async function pack(bytes: Buffer, encoding: MapEncoding): Promise<Uint8Array<ArrayBuffer>> {
  // A copy of exactly these bytes, so that it can be transferred to another thread without the rest of its pool.
  return new Uint8Array(await packers[encoding](bytes));
}

/** The tag depends on the variant and the content, not on the time, so every node gives the same map the same tag. */
export function etagOf(variant: Variant, encoding: MapEncoding, bytes: Buffer): string {
  const name = variant === null ? 'public' : `party-${variant}`;
  const content = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  return `"${name}-${content}-${encoding}"`;
}
