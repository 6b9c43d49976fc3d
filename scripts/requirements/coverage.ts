export interface Requirement {
  id: string;
  area: string;
  text: string;
  workPackage: string;
}

/** A test that claims to prove these rows. */
export interface Claim {
  file: string;
  title: string;
  ids: string[];
  /** A test of a page in which both the call and its answer are written: the server takes no part. */
  isStubbed: boolean;
}

const row = /^\| ([A-Z0-9-]+-\d{2,3}) \| (.+) \| (\d{2}) \|$/;
const mostIdsPerTest = 5;

export function readRequirements(markdown: string): Requirement[] {
  return markdown.split('\n').flatMap((line) => {
    const match = row.exec(line);
    if (!match) return [];
    const [, id = '', text = '', workPackage = ''] = match;
    return [{ id, area: id.replace(/-\d+$/, ''), text, workPackage }];
  });
}

/** A browser test with a camera is a test too. */
const title = /\b(?:test|it|withCamera)(?:\.\w+)*(?:\([^()]*\)|`[^`]*`)?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g;
const idInTitle = /\[([A-Z0-9-]+-\d{2,3})\]/g;

/** Reads titles from the source text, because only a title can make a claim. */
export function claimsIn(file: string, source: string): Claim[] {
  const found = [...source.matchAll(title), ...eachTitles(source)].toSorted((a, b) => a.index - b.index);
  return found
    .map(({ 2: text = '', index }, position) => {
      const end = found.slice(position + 1).find((next) => next.index > index)?.index;
      const isStubbed = file.startsWith('apps/web/') && stubbedCall.test(source.slice(index, end));
      return { file, title: text, ids: [...text.matchAll(idInTitle)].map((id) => id[1] ?? ''), isStubbed };
    })
    .filter(({ ids }) => ids.length > 0);
}

const stubbedCall = /'(?:GET|POST|PATCH|PUT|DELETE) \/|\bserve\(|\banswers\b/;

/** `test.each([...])('title', …)`: the table may contain anything, so the title is searched after it. */
function eachTitles(source: string): RegExpExecArray[] {
  return [...source.matchAll(/\)\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*?)\1\s*,/g)];
}

export interface AreaCount {
  area: string;
  proven: number;
  all: number;
}

export function coverage(rows: Requirement[], claims: Claim[]) {
  const known = new Set(rows.map(({ id }) => id));
  const proven = new Set(claims.flatMap(({ ids }) => ids));
  const missing = rows.filter(({ id }) => !proven.has(id));
  const problems = [
    ...missing.map(({ id, text }) => `no test names ${id} ${text}`),
    ...claims.flatMap(({ file, ids }) =>
      ids.filter((id) => !known.has(id)).map((id) => `${file} names ${id}, which is no requirement`),
    ),
    ...claims
      .filter(({ ids }) => new Set(ids).size > mostIdsPerTest)
      .map(({ file, title: text }) => `${file}: more than ${mostIdsPerTest} ids in “${text}”`),
  ];
  const byArea: AreaCount[] = [...Map.groupBy(rows, ({ area }) => area)].map(([area, list]) => ({
    area,
    proven: list.filter(({ id }) => proven.has(id)).length,
    all: list.length,
  }));
  const stubbed = rows.flatMap((row) => {
    const tests = claims.filter(({ ids }) => ids.includes(row.id));
    const files = [...new Set(tests.map(({ file }) => file))];
    return tests.length > 0 && tests.every(({ isStubbed }) => isStubbed) ? [{ ...row, files }] : [];
  });
  return { byArea, missing, stubbed, problems };
}

export function table(byArea: AreaCount[]): string {
  const total = {
    area: 'all',
    proven: byArea.reduce((sum, { proven }) => sum + proven, 0),
    all: byArea.reduce((sum, { all }) => sum + all, 0),
  };
  const line = ({ area, proven, all }: AreaCount) =>
    `${area.padEnd(10)}${String(proven).padStart(7)}${String(all - proven).padStart(12)}${String(all).padStart(6)}`;
  return ['area       proven  not proven  rows', ...[...byArea, total].map(line)].join('\n');
}
