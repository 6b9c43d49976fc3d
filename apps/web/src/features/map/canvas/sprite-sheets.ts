/** Where a drawn picture lies, in device pixels. */
export interface Cut {
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
  draw(width: number, height: number, paint: (context: CanvasRenderingContext2D) => void): Cut;
  /** How wide a text is, in CSS px. */
  widthOf(text: string, font: string): number;
}

/** Holds what a city shows; one in a hundred screens needs a second. */
const sheetPx = 512;

/**
 * Many small pictures side by side on few canvases: to make a canvas takes longer than to draw a number on it, and a large
 * network has hundreds of numbers on a screen. They are set in rows, each as high as its highest.
 */
export function createSpriteSheets(ratio: number): SpriteSheets {
  const side = Math.ceil(sheetPx * ratio);
  let context: CanvasRenderingContext2D | null = null;
  let [left, top, rowHigh] = [0, 0, 0];

  function sheet(): CanvasRenderingContext2D {
    context ??= newSheet(side);
    return context;
  }

  /** The next free corner. What was drawn before stays with those who hold it. */
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
