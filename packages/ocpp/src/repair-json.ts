/**
 * A repair reads every character in JavaScript. A longer frame is refused, because one sender must not delay the
 * others.
 */
const MAX_REPAIRED_CHARACTERS = 128 * 1024;

/**
 * Repairs the JSON that some firmware writes when it has no value: `"transactionId":,`, `[1,,2]`, `{"a":1,}`, bare NaN.
 * Without it a MeterValues would be refused and its sender would repeat it forever. Returns undefined when it cannot be
 * repaired.
 */
export function parseRepaired(text: string): unknown {
  if (text.length > MAX_REPAIRED_CHARACTERS) return undefined;
  try {
    return JSON.parse(repair(text));
  } catch {
    return undefined;
  }
}

const notNumbers = /[-+]?\b(?:nan|inf(?:inity)?)\b/gi;

/** One pass without backtracking; strings are copied unchanged, only the parts between them are repaired. */
function repair(text: string): string {
  const out: string[] = [];
  let between = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '"') continue;
    out.push(repairStructure(text.slice(between, at), out.length === 0));
    const end = endOfString(text, at);
    out.push(text.slice(at, end));
    between = end;
    at = end - 1;
  }
  out.push(repairStructure(text.slice(between), out.length === 0));
  return out.join('');
}

/**
 * Repairs the part between two strings. Whitespace is removed first, so that each error is exactly two neighbouring
 * characters.
 */
function repairStructure(part: string, isStart: boolean): string {
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
