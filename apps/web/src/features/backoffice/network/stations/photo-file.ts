/** The longest side that is sent; the server makes it smaller still. */
const longestSide = 2_048;
const jpegQuality = 0.85;

/**
 * A picture of a phone has several megabytes, so it is made smaller before it is sent. A file that this browser cannot
 * draw is sent as it is, and the server decides.
 */
async function reduced(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return file;
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const pen = canvas.getContext('2d');
  if (!pen) return file;
  // JPEG has no transparency, and black would appear instead.
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((resolve) => canvas.toBlob((drawn) => resolve(drawn ?? file), 'image/jpeg', jpegQuality));
}

/** The content of a photo as it is sent; null when it is too large even after it was reduced. */
export async function photoContent(file: Blob, mostBytes: number): Promise<string | null> {
  const picture = await reduced(file);
  if (picture.size > mostBytes) return null;
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(picture);
  });
}
