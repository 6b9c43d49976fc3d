import { encodeQR } from 'qr';

/** The standard asks for four empty modules around a code; phones read it with two, which fits more terminals. */
const quietModules = 2;

/**
 * A QR code for a terminal: each character is two modules, one above the other. With colours it is black on white in
 * every theme; without them the light modules are drawn, which suits the usual dark terminal.
 */
export function terminalCode(text: string, hasColours: boolean): string[] {
  const code: boolean[][] = encodeQR(text, 'raw', { ecc: 'low', border: quietModules });
  const lines: string[] = [];
  for (let row = 0; row < code.length; row += 2) {
    const upper = code[row] ?? [];
    const lower = code[row + 1] ?? [];
    const line = upper.map((isDark, column) => character(isDark, lower[column] ?? false)).join('');
    lines.push(hasColours ? `\u001b[97;40m${line}\u001b[0m` : line);
  }
  return lines;
}

function character(isUpperDark: boolean, isLowerDark: boolean): string {
  if (isUpperDark) return isLowerDark ? ' ' : '▄';
  return isLowerDark ? '▀' : '█';
}
