/** Position of a drawn picture on its sheet, in device pixels. */
export interface SpriteRect {
  image: HTMLCanvasElement;
  left: number;
  top: number;
  wide: number;
  high: number;
}

export interface SpriteSheets {
  /** Device pixels per CSS pixel. */
  ratio: number;
  /** Draws a picture of this size, in CSS px. */
  draw(width: number, height: number, paint: (context: CanvasRenderingContext2D) => void): SpriteRect;
  /** The width of a text, in CSS px. */
  widthOf(text: string, font: string): number;
}

/** Enough for what a city shows; one screen in a hundred needs a second sheet. */
const sheetPx = 512;

/**
 * Many small pictures on few canvases, because creating a canvas takes longer than drawing a number on it, and a large
 * network has hundreds of numbers on a screen. They are placed in rows, each as high as its highest picture.
 */
export function createSpriteSheets(ratio: number): SpriteSheets {
  const side = Math.ceil(sheetPx * ratio);
  let context: CanvasRenderingContext2D | null = null;
  let [left, top, rowHigh] = [0, 0, 0];

  function sheet(): CanvasRenderingContext2D {
    context ??= newSheet(side);
    return context;
  }

  /** Finds the next free corner. Earlier pictures stay valid. */
  function place(wide: number, high: number): void {
    if (left + wide > side) [left, top, rowHigh] = [0, top + rowHigh, 0];
    if (top + high > side) {
      context = null;
      [left, top, rowHigh] = [0, 0, 0];
    }
    rowHigh = Math.max(rowHigh, high);
  }

  return {
    ratio,
    draw(width, height, paint) {
      const wide = Math.ceil(width * ratio);
      const high = Math.ceil(height * ratio);
      place(wide, high);
      const onSheet = sheet();
      const cut = { image: onSheet.canvas, left, top, wide, high };
      onSheet.save();
      onSheet.beginPath();
      onSheet.rect(left, top, wide, high);
      onSheet.clip();
      onSheet.translate(left, top);
      onSheet.scale(ratio, ratio);
      paint(onSheet);
      onSheet.restore();
      left += wide;
      return cut;
    },
    widthOf(text, font) {
      const measuring = sheet();
      measuring.font = font;
      return measuring.measureText(text).width;
    },
  };
}

function newSheet(side: number): CanvasRenderingContext2D {
  const image = document.createElement('canvas');
  image.width = side;
  image.height = side;
  const context = image.getContext('2d');
  if (!context) throw new Error('No canvas to draw on');
  return context;
}
