import encode from 'qr';

const width = 320;
const height = 240;
const framesPerSecond = 5;
const black = 16;
const white = 235;
const grey = 128;

interface Scene {
  /** The text of the QR code in front of the camera; null for a grey wall. */
  code: string | null;
  seconds: number;
}

/** A camera recording as uncompressed video (YUV4MPEG2), which Chromium can use as a camera. */
export function cameraVideo(scenes: readonly Scene[]): Uint8Array[] {
  const text = new TextEncoder();
  const colours = new Uint8Array((width * height) / 2).fill(grey);
  const parts: Uint8Array[] = [text.encode(`YUV4MPEG2 W${width} H${height} F${framesPerSecond}:1 Ip A1:1 C420jpeg\n`)];
  for (const { code, seconds } of scenes) {
    const frame = brightness(code);
    for (let count = 0; count < seconds * framesPerSecond; count++) parts.push(text.encode('FRAME\n'), frame, colours);
  }
  return parts;
}

/** The code in the centre, as large as possible. */
function brightness(code: string | null): Uint8Array {
  const frame = new Uint8Array(width * height).fill(grey);
  if (code === null) return frame;
  const modules = encode(code, 'raw', { border: 4 });
  const scale = Math.floor(height / modules.length);
  const size = modules.length * scale;
  const left = Math.floor((width - size) / 2);
  const top = Math.floor((height - size) / 2);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const isDark = modules[Math.floor(y / scale)]?.[Math.floor(x / scale)];
      frame[(top + y) * width + left + x] = isDark ? black : white;
    }
  }
  return frame;
}
