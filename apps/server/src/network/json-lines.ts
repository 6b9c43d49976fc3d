/**
 * On which line each element of an array begins: of the document itself when it is one, else of its member `name`.
 * The text must be valid JSON. `JSON.parse` forgets positions, and a person who mends a file needs them.
 */
export function elementLines(text: string, name: string): number[] {
  const lines: number[] = [];
  let line = 1;
  let depth = 0;
  /** Depth of the array's elements, once it is entered. */
  let wanted = text.trimStart().startsWith('[') ? 1 : null;
  let isExpected = false;
  let lastText = '';

  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '\n') line += 1;
    if (/\s/.test(char) || char === ':') continue;
    if (char === ',') {
      isExpected = depth === wanted;
      continue;
    }
    if (isExpected && char !== ']') {
      lines.push(line);
      isExpected = false;
    }
    if (char === '"') {
      const end = endOfText(text, at);
      lastText = text.slice(at + 1, end);
      at = end;
    } else if (char === '[' || char === '{') {
      depth += 1;
      if (wanted === null && char === '[' && depth === 2 && lastText === name) wanted = 2;
      if (wanted === depth && lines.length === 0 && char === '[') isExpected = true;
    } else if (char === ']' || char === '}') {
      if (depth === wanted) return lines;
      depth -= 1;
    }
  }
  return lines;
}

function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/**
 * The line on which text stops being JSON. Not every message of the parser names one, but a text cut off before the fault
 * fails only for want of more: so the fault's line is the first that makes it fail otherwise.
 */
export function brokenLine(text: string): number {
  const lines = text.split('\n');
  let low = 1;
  let high = lines.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isBroken(lines.slice(0, middle).join('\n'))) high = middle;
    else low = middle + 1;
  }
  return low;
}

function isBroken(start: string): boolean {
  try {
    JSON.parse(start);
    return false;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    // No JSON text runs over a line, so one that is still open at the end of a line never ends.
    if (message.includes('Unterminated string')) return true;
    const position = Number(/at position (\d+)/.exec(message)?.[1] ?? -1);
    return !message.includes('Unexpected end') && position < start.length;
  }
}
