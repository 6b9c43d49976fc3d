import { Refusal } from '../platform/refusal.ts';

/** A photo as drivers get it. */
export interface EncodedPhoto {
  width: number;
  height: number;
  large: Buffer;
  small: Buffer;
}

/** Checks a picture and encodes it again: what is stored was drawn by us, without metadata and without other content. */
export interface PhotoEncoder {
  /** @refuses not_an_image, image_too_large */
  encode(sent: Buffer): Promise<EncodedPhoto>;
}

/** A small file can unpack to a picture of gigabytes. The camera of a phone makes 12 to 50 megapixels, which pages reduce. */
const mostPixels = 25_000_000;
/** The longest side, in pixels. */
const largeSide = 1_600;
const smallSide = 480;
const quality = 78;
/** A picture of the largest size takes a second; one that takes longer was made to do so. */
const encodeSeconds = 15;
/** The decoders of these formats alone are enabled, because each decoder is code that reads what a stranger made. */
const formats = ['jpeg', 'png', 'webp'] as const;
const decoders = ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'];

type Sharp = typeof import('sharp')['default'];

/** Loaded at the first upload, because most nodes never encode a picture. */
async function loadSharp(): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: decoders });
  sharp.cache(false);
  // The event loop and the gateway need the other threads.
  sharp.concurrency(1);
  return sharp;
}

export function createPhotoEncoder(): PhotoEncoder {
  let library: Promise<Sharp> | undefined;
  /** One picture at a time, so that several uploads never need the memory of several unpacked pictures. */
  let last: Promise<unknown> = Promise.resolve();

  async function encodeNow(sent: Buffer): Promise<EncodedPhoto> {
    library ??= loadSharp();
    const sharp = await library;
    // Errors of the decoder are about the content. The library throws no class of its own for them.
    const open = () => sharp(sent, { limitInputPixels: mostPixels, failOn: 'error' });
    const head = await headOf(open);
    if (!formats.some((format) => format === head.format)) throw new Refusal('not_an_image');
    if (head.width * head.height > mostPixels) throw new Refusal('image_too_large');
    const drawn = (side: number) =>
      open()
        // Turned as the camera was held, which is written only in the metadata that is removed.
        .autoOrient()
        .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
        .flatten({ background: '#ffffff' })
        .toColourspace('srgb')
        .webp({ quality })
        .timeout({ seconds: encodeSeconds })
        .toBuffer({ resolveWithObject: true });
    try {
      const large = await drawn(largeSide);
      const small = await drawn(smallSide);
      return { width: large.info.width, height: large.info.height, large: large.data, small: small.data };
    } catch (cause) {
      throw refusalOf(cause);
    }
  }

  return {
    encode(sent) {
      const encoded = last.then(() => encodeNow(sent));
      last = encoded.catch(() => undefined);
      return encoded;
    },
  };
}

/** An empty file is an error of the call itself, a broken one of its promise. */
async function headOf(open: () => import('sharp').Sharp) {
  try {
    return await open().metadata();
  } catch (cause) {
    throw refusalOf(cause);
  }
}

function refusalOf(cause: unknown): Refusal {
  const isTooLarge = cause instanceof Error && /pixel limit|timeout/i.test(cause.message);
  return new Refusal(isTooLarge ? 'image_too_large' : 'not_an_image');
}
