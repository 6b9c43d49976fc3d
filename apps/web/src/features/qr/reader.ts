/** The text of the code in a video frame; null when there is no code. */
export type Reader = (video: HTMLVideoElement) => Promise<string | null>;

interface NativeDetector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
interface NativeDetectors {
  new (options: { formats: string[] }): NativeDetector;
  getSupportedFormats(): Promise<string[]>;
}

/** Uses the phone's own reader where it exists, otherwise loads ours. */
export async function createReader(): Promise<Reader> {
  const native = await nativeDetector();
  if (!native) return ownReader();
  let reader: Reader = async (video) => (await native.detect(video))[0]?.rawValue || null;
  return async (video) => {
    try {
      return await reader(video);
    } catch {
      // Some Android phones without Google services announce a reader that does not work.
      reader = await ownReader();
      return reader(video);
    }
  };
}

async function nativeDetector(): Promise<NativeDetector | null> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: NativeDetectors };
  if (!BarcodeDetector) return null;
  const formats = await BarcodeDetector.getSupportedFormats().catch((): string[] => []);
  return formats.includes('qr_code') ? new BarcodeDetector({ formats: ['qr_code'] }) : null;
}

/** Enough for a code at arm's length, and small enough for a slow phone. */
const longestSide = 960;

async function ownReader(): Promise<Reader> {
  const { default: decode } = await import('qr/decode.js');
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('No canvas to read frames from');
  return async (video) => {
    const scale = Math.min(1, longestSide / Math.max(video.videoWidth, video.videoHeight));
    const width = Math.round(video.videoWidth * scale);
    const height = Math.round(video.videoHeight * scale);
    if (width === 0 || height === 0) return null;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    context.drawImage(video, 0, 0, width, height);
    try {
      return decode(context.getImageData(0, 0, width, height));
    } catch {
      // The library throws when there is no code in the frame.
      return null;
    }
  };
}
