import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** A function of the sources, with what says whether it can be read at once. */
export interface MeasuredFunction {
  /** File and line. */
  place: string;
  name: string;
  lines: number;
  /** Ways through it: one, and one more for each decision. Functions inside it count for themselves. */
  ways: number;
  /** It only puts parts together, or only offers functions: each of those is measured by itself. */
  isFactory: boolean;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

interface Open extends Omit<MeasuredFunction, 'isFactory'> {
  inner: number;
}

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const decisions = new Set([
  'IfStatement',
  'ConditionalExpression',
  'LogicalExpression',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'CatchClause',
]);
const named = new Set(['VariableDeclarator', 'Property', 'MethodDefinition', 'PropertyDefinition']);
const factoryName = /^(create|wire|open|start)[A-Z]|(Routes|Api)$|^routes$/;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const nameOf = (node: unknown): string | null => (isNode(node) && typeof node.name === 'string' ? node.name : null);

/** Ends with an object, as what a factory offers. */
function endsWithObject(body: unknown): boolean {
  if (!isNode(body)) return false;
  if (body.type !== 'BlockStatement') return body.type === 'ObjectExpression';
  const last = (body.body as Node[]).at(-1);
  return last?.type === 'ReturnStatement' && isNode(last.argument) && last.argument.type === 'ObjectExpression';
}

/** How many of these ascending numbers are below. */
function firstFrom(ascending: readonly number[], least: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function measuredFunctions(root: string, file: string): MeasuredFunction[] {
  const source = readFileSync(join(root, file), 'utf8');
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index);
  const lineOf = (offset: number) => 1 + firstFrom(ends, offset);
  const found: MeasuredFunction[] = [];

  function visit(node: Node, name: string, around: Open | null): void {
    let open = around;
    if (functions.has(node.type)) {
      const [first, last] = [lineOf(node.start), lineOf(node.end - 1)];
      open = { place: `${file}:${first}`, name: nameOf(node.id) ?? name, lines: last - first + 1, ways: 1, inner: 0 };
      if (around) around.inner += 1;
    } else if (open && (decisions.has(node.type) || (node.type === 'SwitchCase' && node.test))) open.ways += 1;
    const below = named.has(node.type) ? (nameOf(node.id ?? node.key) ?? name) : name;
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, below, open);
    if (!open || open === around) return;
    const { inner, ...measured } = open;
    const isFactory = factoryName.test(open.name) || (inner > 1 && endsWithObject(node.body));
    found.push({ ...measured, isFactory });
  }

  visit(parseSync(file, source).program as unknown as Node, '', null);
  return found;
}
