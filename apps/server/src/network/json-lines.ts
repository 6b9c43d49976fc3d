import { getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';

/** `JSON.parse` does not return positions, and a person who corrects a file needs them. */
export type JsonFile =
  | {
      value: unknown;
      /**
       * The line on which each element of an array begins: of the document if it is an array, otherwise of its member
       * `name`.
       */
      elementLines(name: string): number[];
    }
  | { brokenLine: number; reason: string };

/** Documents of stations are five levels deep. What reads and writes them is recursive, so it never sees deep nesting. */
const mostNesting = 32;

/** Where the text is nested deeper than that; brackets in strings do not count. */
function tooDeepAt(text: string): number | null {
  let depth = 0;
  for (const { 0: part, index } of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (part === '[' || part === '{') depth += 1;
    else if (part === ']' || part === '}') depth -= 1;
    if (depth > mostNesting) return index;
  }
  return null;
}

export function readJson(text: string): JsonFile {
  const tooDeep = tooDeepAt(text);
  if (tooDeep !== null) return { brokenLine: linesAt(text, [tooDeep])[0] ?? 1, reason: 'is nested too deeply' };
  try {
    JSON.parse(text);
  } catch (error) {
    return { brokenLine: brokenLineOf(text), reason: error instanceof Error ? error.message : String(error) };
  }
  const root = parseTree(text);
  return {
    value: root && getNodeValue(root),
    elementLines: (name) => linesAt(text, arrayOf(root, name)?.children?.map(({ offset }) => offset) ?? []),
  };
}

function brokenLineOf(text: string): number {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true });
  return linesAt(text, [errors[0]?.offset ?? text.length])[0] ?? 1;
}

function arrayOf(root: Node | undefined, name: string): Node | undefined {
  if (root?.type === 'array') return root;
  const members = root?.children?.map(({ children }) => children ?? []) ?? [];
  return members.find(([key, value]) => key?.value === name && value?.type === 'array')?.[1];
}

/** The offsets are in order, so one pass over the text is enough for a file of any size. */
function linesAt(text: string, offsets: readonly number[]): number[] {
  let line = 1;
  let lineEnd = text.indexOf('\n');
  return offsets.map((offset) => {
    while (lineEnd !== -1 && lineEnd < offset) {
      line += 1;
      lineEnd = text.indexOf('\n', lineEnd + 1);
    }
    return line;
  });
}
