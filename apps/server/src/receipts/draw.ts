import { encodeQR } from 'qr';
import { endPdf, newPdf } from '../platform/outside/pdf.ts';
import { accent, faint, ink, rule } from './colours.ts';
import { drawCurve } from './draw-curve.ts';
import { createPen, type Pen } from './pen.ts';
import type { Receipt, Seller } from './receipt.ts';
import { type ReceiptLine, worded } from './words.ts';

/** A4 in points. */
const page = { width: 595.28, height: 841.89, margin: 45 };
const right = 550;
const column = { width: 236 };
/** Where the second column begins. */
const second = right - column.width;
/** Between a label and its value. */
const valueGap = 12;
/** The mark of the brand in a square of 48. */
const markPaths = {
  letter:
    'M11 42a3.5 3.5 0 0 1-3.5-3.5V12.5A6.5 6.5 0 0 1 14 6h22a3.5 3.5 0 0 1 0 7H16.5a2 2 0 0 0-2 2v23.5A3.5 3.5 0 0 1 11 42ZM13 21.8h9.5v6.4H13Z',
  spark:
    'M30.2 14.4Q32.2988 22.9012 40.8 25Q32.2988 27.0988 30.2 35.6Q28.1012 27.0988 19.6 25Q28.1012 22.9012 30.2 14.4Z',
};
const qrSize = 84;

/**
 * Draws one A4 page: the figures, the charge and the money in two columns, the power over time, the seller. It uses no
 * layout engine, because a receipt is a list and an engine would cost ten times as much.
 */
export async function drawReceipt(receipt: Receipt, seller: Seller, operationUrl: string): Promise<Buffer> {
  const texts = worded(receipt, seller);
  const document = await newPdf({
    size: [page.width, page.height],
    info: { Title: texts.title, Author: seller.name, CreationDate: receipt.finishedAt },
    lang: receipt.language,
  });
  const pen = createPen(document);

  drawMark(document);
  pen.write(seller.brand, { x: page.margin + 40, y: page.margin + 3, size: 20, weight: 700, color: ink });
  pen.write(texts.title, { x: right, y: page.margin - 3, size: 16, weight: 700, color: ink, align: 'right' });
  pen.write(texts.issued, { x: right, y: page.margin + 18, size: 9, weight: 400, color: faint, align: 'right' });
  document.roundedRect(page.margin, page.margin + 47, right - page.margin, 2.5, 1.25).fill(accent);
  drawHeadline(pen, texts.headline, page.margin + 74);

  const top = page.margin + 152;
  const columns = { document, pen };
  const chargeEnd = drawColumn(columns, texts.charge, { x: page.margin, y: top });
  const moneyEnd = drawColumn(columns, texts.money, { x: second, y: top });
  let y = Math.max(chargeEnd, moneyEnd) + 22;
  if (texts.curve) {
    const frame = { x: page.margin, y, width: right - page.margin };
    y += drawCurve({ document, pen }, texts.curve, frame) + 24;
  }
  drawColumn(columns, texts.sale, { x: page.margin, y });
  const squares = encodeQR(operationUrl, 'raw', { ecc: 'medium', border: 1 });
  pen.code(squares, { x: right - qrSize, y, side: qrSize / squares.length, color: ink });
  pen.write(texts.qr, {
    x: right,
    y: y + qrSize + 4,
    size: 8,
    weight: 400,
    color: faint,
    link: operationUrl,
    align: 'right',
  });
  drawFooter(document, pen, texts.footer);

  return endPdf(document);
}

function drawMark(document: PDFKit.PDFDocument): void {
  document
    .save()
    .translate(page.margin - 4, page.margin - 4)
    .scale(40 / 48);
  document.path(markPaths.letter).fill(ink);
  document.path(markPaths.spark).fill(accent);
  document.restore();
}

/** The sum is the largest; the others stand on the same line. */
function drawHeadline(pen: Pen, figures: readonly { label: string; value: string }[], y: number): void {
  let x = page.margin;
  for (const [index, { label, value }] of figures.entries()) {
    const size = index === 0 ? 38 : 21;
    const down = index === 0 ? 0 : 13;
    pen.write(label, { x, y: y + down, size: 10, weight: 400, color: faint });
    pen.write(value, { x, y: y + down + 13, size, weight: 700, color: ink });
    x += Math.max(pen.widthOf(value, size, 700), pen.widthOf(label, 10, 400)) + 30;
  }
}

interface Column {
  title: string;
  lines: readonly ReceiptLine[];
}

/** Labels on the left, values on the right, a rule under each line. Returns where it ends. */
function drawColumn(
  { document, pen }: { document: PDFKit.PDFDocument; pen: Pen },
  { title, lines }: Column,
  { x, y }: { x: number; y: number },
): number {
  pen.write(title, { x, y, size: 11.5, weight: 700, color: ink });
  let at = y + 23;
  for (const { label, value, link, isStrong } of lines) {
    const weight = isStrong ? 700 : 400;
    const rows = pen.wrap(value, column.width - pen.widthOf(label, 10, 400) - valueGap, 10, weight);
    pen.write(label, { x, y: at, size: 10, weight: 400, color: faint });
    for (const [index, row] of rows.entries()) {
      const place = { x: x + column.width, y: at + index * 14 };
      pen.write(row, { ...place, size: 10, weight, color: ink, align: 'right', ...(link ? { link } : {}) });
    }
    at += rows.length * 14 + 5;
    document
      .moveTo(x, at - 1)
      .lineTo(x + column.width, at - 1)
      .lineWidth(0.5)
      .stroke(rule);
    at += 5;
  }
  return at;
}

function drawFooter(document: PDFKit.PDFDocument, pen: Pen, { contact, thanks }: { contact: string; thanks: string }) {
  const y = page.height - page.margin;
  document
    .moveTo(page.margin, y - 12)
    .lineTo(right, y - 12)
    .lineWidth(0.5)
    .stroke(rule);
  pen.write(contact, { x: page.margin, y, size: 9, weight: 400, color: faint });
  pen.write(thanks, { x: right, y, size: 9, weight: 400, color: faint, align: 'right' });
}
