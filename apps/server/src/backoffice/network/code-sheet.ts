import type { SheetSize } from '@fpay/contract/admin/network/codes';
import { encodeQR } from 'qr';
import { endPdf, newPdf } from '../../platform/outside/pdf.ts';
import { createPen, type Pen } from '../../receipts/pen.ts';

export interface Sticker {
  number: string;
  /** What the code contains. */
  url: string;
  address: string;
}

export interface StickerBrand {
  name: string;
  phone: string;
}

const mm = 72 / 25.4;
const a6 = { width: 105 * mm, height: 148 * mm };
const a4 = { width: 210 * mm, height: 297 * mm };
const margin = 7 * mm;
const ink = '#0E1512';
const faint = '#4A564F';
const black = '#000000';
const rule = '#D5DCD6';
const accent = '#22E07C';
/** A phone reads a code of this size from an arm's length away. */
const codeSide = 61 * mm;
/** The standard requires four empty modules around a code. */
const quietModules = 4;

/** Stickers to print: one on each A6 page, or four on each A4 page with lines to cut along. */
export async function drawCodeSheet(
  stickers: readonly Sticker[],
  size: SheetSize,
  brand: StickerBrand,
): Promise<Buffer> {
  const page = size === 'a6' ? a6 : a4;
  const document = await newPdf({
    size: [page.width, page.height],
    autoFirstPage: false,
    info: { Title: stickers.map(({ number }) => number).join(', '), Author: brand.name },
    lang: 'uk',
  });
  const pen = createPen(document);
  const perPage = size === 'a6' ? 1 : 4;
  for (let first = 0; first < stickers.length; first += perPage) {
    document.addPage();
    stickers.slice(first, first + perPage).forEach((sticker, index) => {
      const corner = { x: (index % 2) * a6.width, y: Math.floor(index / 2) * (a4.height / 2) };
      drawSticker(document, pen, { sticker, brand, corner });
    });
    if (size === 'a4') drawCutLines(document);
  }
  return endPdf(document);
}

interface PlacedSticker {
  sticker: Sticker;
  brand: StickerBrand;
  corner: { x: number; y: number };
}

function drawSticker(document: PDFKit.PDFDocument, pen: Pen, { sticker, brand, corner }: PlacedSticker): void {
  const { number, url, address } = sticker;
  const left = corner.x + margin;
  const right = corner.x + a6.width - margin;
  const middle = corner.x + a6.width / 2;
  const top = corner.y;
  drawLogo(document, left, top + margin);
  pen.write(brand.name, { x: left + 26, y: top + margin + 3, size: 15, weight: 700, color: ink });
  pen.write(number, { x: right, y: top + margin, size: 19, weight: 700, color: ink, align: 'right' });
  pen.write('Скануйте й заряджайте', { x: middle, y: top + 50, size: 17, weight: 700, color: ink, align: 'center' });
  pen.write('Scan to charge · Zeskanuj i ładuj', {
    x: middle,
    y: top + 74,
    size: 10,
    weight: 400,
    color: faint,
    align: 'center',
  });

  const squares = encodeQR(url, 'raw', { ecc: 'medium', border: quietModules });
  const module = codeSide / (squares.length - 2 * quietModules);
  const frame = squares.length * module;
  const code = { x: middle - frame / 2, y: top + 94 };
  document.roundedRect(code.x, code.y, frame, frame, 10).lineWidth(2.5).stroke(accent);
  pen.code(squares, { ...code, side: module, color: black });

  const shown = url.replace(/^https?:\/\//, '');
  pen.write(shown, { x: middle, y: top + 94 + frame + 10, size: 11, weight: 700, color: ink, align: 'center' });
  const line = top + a6.height - margin - 26;
  document.moveTo(left, line).lineTo(right, line).lineWidth(0.75).stroke(rule);
  const phone = pen.widthOf(brand.phone, 9, 400);
  pen.write(pen.fit(address, right - left - phone - 12, 9, 400), {
    x: left,
    y: line + 9,
    size: 9,
    weight: 400,
    color: faint,
  });
  pen.write(brand.phone, { x: right, y: line + 9, size: 9, weight: 400, color: faint, align: 'right' });
}

function drawLogo(document: PDFKit.PDFDocument, x: number, y: number): void {
  document.save().translate(x, y).scale(0.5);
  document
    .path(
      'M11 42a3.5 3.5 0 0 1-3.5-3.5V12.5A6.5 6.5 0 0 1 14 6h22a3.5 3.5 0 0 1 0 7H16.5a2 2 0 0 0-2 2v23.5A3.5 3.5 0 0 1 11 42ZM13 21.8h9.5v6.4H13Z',
    )
    .fill(ink);
  document
    .path(
      'M30.2 14.4Q32.2988 22.9012 40.8 25Q32.2988 27.0988 30.2 35.6Q28.1012 27.0988 19.6 25Q28.1012 22.9012 30.2 14.4Z',
    )
    .fill(accent);
  document.restore();
}

function drawCutLines(document: PDFKit.PDFDocument): void {
  document.save().lineWidth(0.6).dash(4, { space: 4 }).strokeColor(faint);
  document
    .moveTo(a4.width / 2, 0)
    .lineTo(a4.width / 2, a4.height)
    .stroke();
  document
    .moveTo(0, a4.height / 2)
    .lineTo(a4.width, a4.height / 2)
    .stroke();
  document.restore();
}
