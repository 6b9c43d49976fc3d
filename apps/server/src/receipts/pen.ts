import { fontFile, runsOf, type Weight } from './type.ts';

interface Style {
  /** Its left, middle or right, by `align`. */
  x: number;
  y: number;
  size: number;
  weight: Weight;
  color: string;
  link?: string;
  align?: 'center' | 'right';
}

/** Which part of a text is left of its place. */
const shifts = { center: 0.5, right: 1 } as const;

/** Writes texts in the fonts of the product's papers: receipts, sheets of codes, reports. */
export interface Pen {
  write(text: string, style: Style): void;
  widthOf(text: string, size: number, weight: Weight): number;
  /** Breaks between words; a word that is too long for a line is cut. */
  wrap(text: string, width: number, size: number, weight: Weight): string[];
  /** A text that is too long ends with an ellipsis. */
  fit(text: string, width: number, size: number, weight: Weight): string;
  /** A code of squares. */
  code(squares: boolean[][], place: { x: number; y: number; side: number; color: string }): void;
}

export function createPen(document: PDFKit.PDFDocument): Pen {
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

  function write(text: string, { x, y, size, weight, color, link, align }: Style): void {
    let at = align ? x - shifts[align] * widthOf(text, size, weight) : x;
    document.fillColor(color);
    for (const run of runsOf(text, weight)) {
      use(run.font, size);
      const width = document.widthOfString(run.text);
      document.text(run.text, at, y, { lineBreak: false, ...(link ? { link } : {}) });
      at += width;
    }
  }

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
    widthOf,
    wrap,

    fit(text, width, size, weight) {
      if (widthOf(text, size, weight) <= width) return text;
      let shown = text;
      while (shown.length > 1 && widthOf(`${shown}…`, size, weight) > width) shown = shown.slice(0, -1);
      return `${shown.trimEnd()}…`;
    },

    /** The dark squares of a code are one path, because thousands of small ones would be most of the file. */
    code(squares, { x, y, side, color }) {
      squares.forEach((row, down) => {
        for (let from = 0; from < row.length; from += 1) {
          if (!row[from]) continue;
          let to = from;
          while (row[to + 1]) to += 1;
          document.rect(x + from * side, y + down * side, (to - from + 1) * side, side);
          from = to;
        }
      });
      document.fill(color);
    },
  };
}
