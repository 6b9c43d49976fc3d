// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { expect, it } from 'vitest';

const source = import.meta.dirname;
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.includes('.test.') && !file.startsWith('testing/'),
);

/** More of them are read in parts. */
const mostLines = 60;

interface Span {
  start: number;
  end: number;
}
interface FoundFunction extends Span {
  name: string;
  /** False for what is called or passed on at once: it is read as a part of the function around it. */
  isNamed: boolean;
}

function functionsIn(file: string, code: string): FoundFunction[] {
  const { program } = parseSync(file, code);
  const found: FoundFunction[] = [];
  const named = new Map<number, string>();
  const add = ({ start, end }: Span, name = named.get(start)) =>
    void found.push({ start, end, name: name ?? '', isNamed: name !== undefined });
  new Visitor({
    VariableDeclarator: ({ id, init }) => void (init && id.type === 'Identifier' && named.set(init.start, id.name)),
    Property: ({ key, value }) => void (key.type === 'Identifier' && named.set(value.start, key.name)),
    MethodDefinition: ({ key, value }) => void (key.type === 'Identifier' && named.set(value.start, key.name)),
    FunctionDeclaration: (node) => add(node, node.id?.name ?? ''),
    FunctionExpression: (node) => add(node),
    ArrowFunctionExpression: (node) => add(node),
  }).visit(program);
  return found;
}

/** The lines of each function without those of the named functions in it, which are read by themselves. */
function longIn(file: string): { name: string; lines: number }[] {
  const code = readFileSync(join(source, file), 'utf8');
  const lineOf = (offset: number) => code.slice(0, offset).split('\n').length;
  const all = functionsIn(file, code).filter(({ isNamed }) => isNamed);
  const linesOf = ({ start, end }: Span) => lineOf(end) - lineOf(start) + 1;
  return all
    .map((outer) => {
      const inside = all.filter(({ start, end }) => start > outer.start && end < outer.end);
      const direct = inside.filter((one) => !inside.some(({ start, end }) => start < one.start && end > one.end));
      // A function of one line belongs to the text around it.
      const others = direct.map(linesOf).filter((lines) => lines > 1);
      return { name: outer.name, lines: linesOf(outer) - others.reduce((sum, lines) => sum + lines, 0) };
    })
    .filter(({ lines }) => lines > mostLines);
}

/** How many there are. The number may only become smaller, and no function becomes a page of its own. */
const mostLong = 14;
const longest = 110;

it('functions are short enough to be read at once', () => {
  const long = files.flatMap((file) => longIn(file).map(({ name, lines }) => ({ lines, name: `${file}: ${name}` })));
  const shown = long.toSorted((one, other) => other.lines - one.lines).map(({ lines, name }) => `${lines} ${name}`);
  expect(long.length, shown.join('\n')).toBeLessThanOrEqual(mostLong);
  expect(long.filter(({ lines }) => lines > longest)).toEqual([]);
});
