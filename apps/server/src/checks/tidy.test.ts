import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { refusedNames, refusedWord } from '../testing/plain-words.ts';

/** docs/voice.md as a test: it reads the sources of the whole repository as text. */
const root = fileURLToPath(new URL('../../../..', import.meta.url));
const folders = [
  'apps/server/src',
  'apps/server/bench',
  'apps/web/src',
  'apps/sandbox/src',
  'apps/simulator/src',
  'packages/contract/src',
  'packages/embedded-postgres/src',
  'packages/ocpp/src',
  'scripts',
  'e2e',
] as const;
type Folder = (typeof folders)[number];

/** Folders whose texts are not reworded yet. The list may only become shorter. */
const notYet: readonly Folder[] = [];

interface Source {
  path: string;
  text: string;
}

const sources = new Map(
  folders.map((folder): [Folder, Source[]] => [
    folder,
    globSync('**/*.{ts,tsx}', { cwd: join(root, folder), exclude: (name) => name === 'node_modules' })
      .filter((file) => !/(^|\/)generated\//.test(file))
      .map((file) => ({ path: `${folder}/${file}`, text: readFileSync(join(root, folder, file), 'utf8') })),
  ]),
);
const sourcesOf = (...of: readonly Folder[]): Source[] => of.flatMap((folder) => sources.get(folder) ?? []);

const isTest = (path: string) => /\.(test|proof|spec)\.tsx?$/.test(path);

/** Strings are matched first, so that `//` inside an address does not begin a comment. */
const token = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const commentsIn = (text: string): string[] =>
  [...text.matchAll(token)].map(([match]) => match).filter((match) => match.startsWith('/'));

const title = /\b(?:test|it|describe)(?:\.\w+(?:\([^()]*\))?)*\(\s*(?:'((?:\\.|[^'\\])*)'|"([^"]*)"|`([^`]*)`)/g;
const titlesIn = (text: string): string[] => [...text.matchAll(title)].map((match) => match.slice(1).join(''));

const logCall = /\b\w*[lL]og\??\.(?:trace|debug|info|warn|error|fatal)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;
const logLinesIn = (text: string): string[] => [...text.matchAll(logCall)].map(([call]) => call);

/** Everything between quotation marks: what an assertion says when it fails, and the names of cases in a table. */
const stringsIn = (text: string): string[] =>
  [...text.matchAll(token)].map(([match]) => match.slice(1, -1)).filter((match) => /[a-z] [a-z]/.test(match));
const codeIn = (text: string): string => text.replace(token, ' ');

const wordsIn = ({ path, text }: Source): string[] =>
  [...commentsIn(text), ...titlesIn(text), ...logLinesIn(text)].flatMap((piece) =>
    [...piece.matchAll(refusedWord)].map(
      ([word]) => `${path}: "${word}" in ${piece.replace(/\s+/g, ' ').slice(0, 120)}`,
    ),
  );

test('comments, log lines and test titles use the words of the field', () => {
  const clean = folders.filter((folder) => !notYet.includes(folder));
  expect(sourcesOf(...clean).flatMap(wordsIn)).toEqual([]);
});

test('names use the words of the field', () => {
  const found = sourcesOf(...folders).flatMap(({ path, text }) =>
    refusedNames(codeIn(text)).map((name) => `${path}: ${name}`),
  );
  expect(found).toEqual([]);
});

/** Tests of the words themselves contain them. */
const aboutWords = ['apps/server/src/checks/migrations.test.ts'];

test('assertions and tables of cases use the words of the field', () => {
  const found = sourcesOf(...folders)
    .filter(({ path }) => isTest(path) && !aboutWords.includes(path))
    .flatMap(({ path, text }) => stringsIn(text).map((string) => ({ path, string })))
    .filter(({ string }) => string.search(refusedWord) >= 0);
  expect(found).toEqual([]);
});

/** A session is the sign-in of a browser. The charge of a driver is an operation, and a device has transactions. */
const chargeFolders = /^apps\/server\/src\/(charging|ocpp\/transactions|messages\/telegram)\//;

test('in code a charge is no session', () => {
  const found = sourcesOf('apps/server/src')
    .filter(({ path }) => chargeFolders.test(path) && !path.includes('/testing/'))
    .flatMap(({ path, text }) =>
      Array.from(codeIn(text).matchAll(/\b\w*[sS]ession\w*\b/g), ([name]) => `${path}: ${name}`),
    );
  expect(found).toEqual([]);
});

test('every folder that is not reworded yet still has such words, so that the list becomes shorter', () => {
  expect(notYet.filter((folder) => sourcesOf(folder).flatMap(wordsIn).length === 0)).toEqual([]);
});

/** The message comes first, or after the object with the fields. A field may have a template, a message may not. */
const interpolated = /\((?:\s*|[^`]*\}\s*,\s*)`[^`]*\$\{/;

test('the text of a log line has no values in it, so that it can be searched for', () => {
  // The embedded PostgreSQL logs through a callback that has no fields.
  const fieldless = 'packages/embedded-postgres/src/bring-up.ts';
  const found = sourcesOf(...folders)
    .filter(({ path }) => path !== fieldless)
    .flatMap(({ path, text }) => logLinesIn(text).map((call) => ({ path, call })))
    .filter(({ call }) => interpolated.test(call));
  expect(found).toEqual([]);
});

/** What is built together shares its names; the sandbox and the simulator are programs of their own. */
const programs: readonly (readonly Folder[])[] = [
  ['apps/server/src', 'apps/web/src', 'packages/contract/src', 'packages/embedded-postgres/src', 'packages/ocpp/src'],
  ['apps/sandbox/src'],
  ['apps/simulator/src'],
];
/** The router finds these in every module of a page. */
const routeNames = new Set(['Page', 'loader']);
const declaration = /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

test('an exported name exists once in a program', () => {
  const twice = programs.flatMap((program) => {
    const homes = new Map<string, Set<string>>();
    for (const { path, text } of sourcesOf(...program)) {
      if (isTest(path)) continue;
      for (const [, name = ''] of text.matchAll(declaration)) homes.set(name, (homes.get(name) ?? new Set()).add(path));
    }
    return [...homes]
      .filter(([name, paths]) => paths.size > 1 && !routeNames.has(name))
      .map(([name, paths]) => `${name}: ${[...paths].join(', ')}`);
  });
  expect(twice).toEqual([]);
});

const mostLines = 300;
/** A test is read from top to bottom, one case at a time, and its cases share one setup that takes seconds to start. */
const mostTestLines = 480;
/** Longer files, each with its reason and the lines it may have. */
const longer: Record<string, { lines: number; because: string }> = {
  'apps/server/src/payments/testing/crash-flows.ts': { lines: 390, because: 'one table of flows and crash points' },
};

const linesOf = (text: string) => text.split('\n').length - 1;
const limitOf = (path: string) => longer[path]?.lines ?? (isTest(path) ? mostTestLines : mostLines);

test('files are short enough to be read at once', () => {
  const long = sourcesOf(...folders)
    .map(({ path, text }) => ({ path, lines: linesOf(text) }))
    .filter(({ path, lines }) => lines > limitOf(path));
  expect(long).toEqual([]);
});

test('the list of longer files has only files that need it', () => {
  const all = new Map(sourcesOf(...folders).map(({ path, text }) => [path, linesOf(text)]));
  const short = Object.keys(longer).filter(
    (path) => (all.get(path) ?? 0) <= (isTest(path) ? mostTestLines : mostLines),
  );
  expect(short).toEqual([]);
});
