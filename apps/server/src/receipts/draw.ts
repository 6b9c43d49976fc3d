import PDFDocument from 'pdfkit';
import { encodeQR } from 'qr';
import type { Receipt, Seller } from './receipt.ts';
import { fontFile, runsOf, type Weight } from './type.ts';
import { type ReceiptLine, worded } from './words.ts';

const page = { width: 419.53, height: 595.28, margin: 36 };
const labelWidth = 128;
const ink = '#14213d';
const faint = '#5b667a';
const rule = '#d7dce5';
const qrSize = 84;

/**
 * Draws one A5 page. It uses no layout engine, because a receipt is a list and an engine would cost ten times as much.
 */
export function drawReceipt(receipt: Receipt, seller: Seller, operationUrl: string): Promise<Buffer> {
  const { title, subtitle, lines, qr } = worded(receipt, seller);
  const document = new PDFDocument({
    size: [page.width, page.height],
    margin: 0,
    info: { Title: title, Author: seller.name, CreationDate: receipt.finishedAt },
    lang: receipt.language,
    // The built-in Helvetica is never used, and loading it costs more than the page.
    font: null as never,
  });
  const pen = createPen(document);

  pen.write(seller.brand, { x: page.margin, y: page.margin, size: 20, weight: 700, color: ink });
  pen.write(title, { x: page.margin, y: page.margin + 34, size: 14, weight: 700, color: ink });
  pen.write(subtitle, { x: page.margin, y: page.margin + 54, size: 9, weight: 400, color: faint });
  let y = page.margin + 84;
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
  pen.write(qr, { x: page.margin, y: corner.y + qrSize - 24, size: 8, weight: 400, color: faint });
  pen.write(operationUrl, {
    x: page.margin,
    y: corner.y + qrSize - 12,
    size: 8,
    weight: 400,
    color: faint,
    link: operationUrl,
  });

  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
    document.end();
  });
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
