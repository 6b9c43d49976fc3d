import { faint, ink, powerLine, rule } from './colours.ts';
import type { Pen } from './pen.ts';
import type { ReceiptCurve } from './words.ts';

const height = 150;
/** Inside the frame. */
const inset = { left: 34, right: 17, top: 39, bottom: 27 };

interface Frame {
  x: number;
  y: number;
  width: number;
}

/** The power over time in a frame, as lines and not as a picture. Returns its height. */
export function drawCurve(
  { document, pen }: { document: PDFKit.PDFDocument; pen: Pen },
  { title, note, marks, times, points }: ReceiptCurve,
  { x, y, width }: Frame,
): number {
  const plot = {
    x: x + inset.left,
    y: y + inset.top,
    width: width - inset.left - inset.right,
    height: height - inset.top - inset.bottom,
  };
  const across = (share: number) => plot.x + share * plot.width;
  const down = (share: number) => plot.y + (1 - share) * plot.height;

  document.roundedRect(x, y, width, height, 10).lineWidth(0.75).stroke(rule);
  pen.write(title, { x: x + 14, y: y + 11, size: 11.5, weight: 700, color: ink });
  pen.write(note, { x: x + width - 14, y: y + 13, size: 9, weight: 400, color: faint, align: 'right' });
  for (const { text, share } of marks) {
    document
      .moveTo(plot.x, down(share))
      .lineTo(plot.x + plot.width, down(share))
      .lineWidth(0.5)
      .stroke(rule);
    pen.write(text, { x: plot.x - 6, y: down(share) - 5.5, size: 8, weight: 400, color: faint, align: 'right' });
  }
  for (const [index, { text, share }] of times.entries()) {
    const half = index === 0 ? 0 : pen.widthOf(text, 8, 400) / (index === times.length - 1 ? 1 : 2);
    pen.write(text, { x: across(share) - half, y: plot.y + plot.height + 6, size: 8, weight: 400, color: faint });
  }

  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return height;
  const trace = () => {
    document.moveTo(across(first.x), down(first.y));
    for (const point of points.slice(1)) document.lineTo(across(point.x), down(point.y));
  };
  trace();
  document.lineTo(across(last.x), down(0)).lineTo(across(first.x), down(0)).closePath();
  document.fillColor(powerLine, 0.14).fill();
  trace();
  document.lineWidth(1.5).lineJoin('round').strokeColor(powerLine, 1).stroke();
  document.fillColor(ink, 1);
  return height;
}
