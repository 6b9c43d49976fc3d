/** Mending reads every character by hand; a frame past this is refused rather than let one sender keep the others waiting. */
const MAX_MENDED_CHARACTERS = 128 * 1024;

/**
 * Mends the JSON that some firmware writes when it has no value to print: `"transactionId":,`, `[1,,2]`, `{"a":1,}`, bare
 * NaN. The alternative is to refuse a MeterValues that its sender will then repeat for ever. Undefined when it stays broken.
 */
export function parseMended(text: string): unknown {
  if (text.length > MAX_MENDED_CHARACTERS) return undefined;
  try {
    return JSON.parse(mend(text));
  } catch {
    return undefined;
  }
}

const notNumbers = /[-+]?\b(?:nan|inf(?:inity)?)\b/gi;

/** One pass, no backtracking: strings are copied as they are, only what stands between them is touched. */
function mend(text: string): string {
  const out: string[] = [];
  let between = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '"') continue;
    out.push(mendStructure(text.slice(between, at), out.length === 0));
    const end = endOfString(text, at);
    out.push(text.slice(at, end));
    between = end;
    at = end - 1;
  }
  out.push(mendStructure(text.slice(between), out.length === 0));
  return out.join('');
}

/** The part between two strings. Whitespace goes first, so that each slip is exactly two neighbouring characters. */
function mendStructure(part: string, isStart: boolean): string {
  const tight = part.replace(notNumbers, 'null').replace(/\s+/g, '');
  let out = '';
  for (let at = 0; at < tight.length; at++) {
    const here = tight[at] as string;
    const before = at === 0 ? (isStart ? '' : '"') : (tight[at - 1] as string);
    if (before === ':' && (here === ',' || here === '}' || here === ']')) out += 'null';
    if (here === ',') {
      const after = tight[at + 1];
      if (after === ',' || after === '}' || after === ']' || before === '[' || before === '{') continue;
    }
    out += here;
  }
  return out;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
