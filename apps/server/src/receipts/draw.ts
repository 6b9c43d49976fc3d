import { encodeQR } from 'qr';
import { endPdf, newPdf } from '../platform/pdf.ts';
import type { Receipt, Seller } from './receipt.ts';
import { fontFile, runsOf, type Weight } from './type.ts';
import { type ReceiptLine, worded } from './words.ts';

const page = { width: 419.53, height: 595.28, margin: 36 };
const labelWidth = 128;
const ink = '#0c1410';
const faint = '#4b5850';
const rule = '#dde2dc';
const accent = '#22e07c';
/** The mark of the brand in a square of 48. */
const markPaths = {
  letter:
    'M11 42a3.5 3.5 0 0 1-3.5-3.5V12.5A6.5 6.5 0 0 1 14 6h22a3.5 3.5 0 0 1 0 7H16.5a2 2 0 0 0-2 2v23.5A3.5 3.5 0 0 1 11 42ZM13 21.8h9.5v6.4H13Z',
  spark:
    'M30.2 14.4Q32.2988 22.9012 40.8 25Q32.2988 27.0988 30.2 35.6Q28.1012 27.0988 19.6 25Q28.1012 22.9012 30.2 14.4Z',
};
const qrSize = 84;

/**
 * Draws one A5 page. It uses no layout engine, because a receipt is a list and an engine would cost ten times as much.
 */
export async function drawReceipt(receipt: Receipt, seller: Seller, operationUrl: string): Promise<Buffer> {
  const { title, issued, subtitle, headline, lines, qr } = worded(receipt, seller);
  const document = await newPdf({
    size: [page.width, page.height],
    info: { Title: title, Author: seller.name, CreationDate: receipt.finishedAt },
    lang: receipt.language,
  });
  const pen = createPen(document);

  drawMark(document);
  pen.write(seller.brand, { x: page.margin + 32, y: page.margin - 1, size: 18, weight: 700, color: ink });
  pen.writeRight(issued, { x: page.width - page.margin, y: page.margin + 6, size: 8, weight: 400, color: faint });
  pen.write(title, { x: page.margin, y: page.margin + 34, size: 14, weight: 700, color: ink });
  pen.write(subtitle, { x: page.margin, y: page.margin + 54, size: 9, weight: 400, color: faint });
  document.roundedRect(page.margin, page.margin + 74, page.width - 2 * page.margin, 2.5, 1.25).fill(accent);
  headline.forEach(({ label, value }, index) => {
    const x = page.margin + index * 128;
    pen.write(label, { x, y: page.margin + 88, size: 8, weight: 400, color: faint });
    pen.write(value, { x, y: page.margin + 99, size: index === 0 ? 18 : 14, weight: 700, color: ink });
  });
  let y = page.margin + 134;
  for (const block of lines) {
    for (const line of block) y += pen.line(line, y);
    document
      .moveTo(page.margin, y + 2)
      .lineTo(page.width - page.margin, y + 2)
      .lineWidth(0.5)
      .stroke(rule);
    y += 10;
  }
  const corner = { x: page.width - page.margin - qrSize, y: page.height - page.margin - qrSize };
  pen.code(operationUrl, corner);
  pen.write(qr, {
    x: page.margin,
    y: corner.y + qrSize - 12,
    size: 8,
    weight: 400,
    color: faint,
    link: operationUrl,
  });

  return endPdf(document);
}

function drawMark(document: PDFKit.PDFDocument): void {
  document
    .save()
    .translate(page.margin - 4, page.margin - 4)
    .scale(32 / 48);
  document.path(markPaths.letter).fill(ink);
  document.path(markPaths.spark).fill(accent);
  document.restore();
}

interface Style {
  x: number;
  y: number;
  size: number;
  weight: Weight;
  color: string;
  link?: string;
}

function createPen(document: PDFKit.PDFDocument) {
  const known = new Set<string>();

  function use(font: string, size: number): void {
    if (!known.has(font)) {
      document.registerFont(font, fontFile(font));
      known.add(font);
    }
    document.font(font).fontSize(size);
  }

  function widthOf(text: string, size: number, weight: Weight): number {
    return runsOf(text, weight).reduce((width, run) => {
      use(run.font, size);
      return width + document.widthOfString(run.text);
    }, 0);
  }

  function write(text: string, { x, y, size, weight, color, link }: Style): void {
    let at = x;
    document.fillColor(color);
    for (const run of runsOf(text, weight)) {
      use(run.font, size);
      const width = document.widthOfString(run.text);
      document.text(run.text, at, y, { lineBreak: false, ...(link ? { link } : {}) });
      at += width;
    }
  }

  /** Breaks between words; a word that is too long for a line is cut. */
  function wrap(text: string, width: number, size: number, weight: Weight): string[] {
    const rows: string[] = [];
    for (const word of text.split(/ +/)) {
      const longer = rows.length > 0 ? `${rows.at(-1)} ${word}` : word;
      if (rows.length > 0 && widthOf(longer, size, weight) <= width) rows[rows.length - 1] = longer;
      else rows.push(...cut(word, width, size, weight));
    }
    return rows;
  }

  function cut(word: string, width: number, size: number, weight: Weight): string[] {
    if (widthOf(word, size, weight) <= width) return [word];
    const rows: string[] = [''];
    for (const letter of word) {
      const longer = (rows.at(-1) ?? '') + letter;
      if (longer.length > 1 && widthOf(longer, size, weight) > width) rows.push(letter);
      else rows[rows.length - 1] = longer;
    }
    return rows;
  }

  return {
    write,

    /** Ends at `x` instead of starting there. */
    writeRight(text: string, { x, ...style }: Style): void {
      write(text, { ...style, x: x - widthOf(text, style.size, style.weight) });
    },

    /** Returns the height that it used. */
    line({ label, value, link, isStrong }: ReceiptLine, y: number): number {
      const [size, weight] = isStrong ? ([13, 700] as const) : ([10, 400] as const);
      const x = page.margin + labelWidth;
      const rows = wrap(value, page.width - page.margin - x, size, weight);
      write(label, { x: page.margin, y: y + (isStrong ? 3 : 0), size: 10, weight: 400, color: faint });
      rows.forEach((row, index) => {
        write(row, { x, y: y + index * (size + 4), size, weight, color: ink, ...(link ? { link } : {}) });
      });
      return rows.length * (size + 4) + 3;
    },

    /** All dark squares are one path, because thousands of small ones would be most of the file. */
    code(text: string, { x, y }: { x: number; y: number }): void {
      const squares = encodeQR(text, 'raw', { ecc: 'medium', border: 1 });
      const side = qrSize / squares.length;
      squares.forEach((row, down) => {
        for (let from = 0; from < row.length; from += 1) {
          if (!row[from]) continue;
          let to = from;
          while (row[to + 1]) to += 1;
          document.rect(x + from * side, y + down * side, (to - from + 1) * side, side);
          from = to;
        }
      });
      document.fill(ink);
    },
  };
}
