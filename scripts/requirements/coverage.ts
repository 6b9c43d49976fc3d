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

const title = /\b(?:test|it)(?:\.\w+)*(?:\([^()]*\)|`[^`]*`)?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g;
const idInTitle = /\[([A-Z0-9-]+-\d{2,3})\]/g;

/** Reads titles from the source text, because only a title can make a claim. */
export function claimsIn(file: string, source: string): Claim[] {
  return [...source.matchAll(title), ...eachTitles(source)]
    .map((match) => match[2] ?? '')
    .map((text) => ({ file, title: text, ids: [...text.matchAll(idInTitle)].map((id) => id[1] ?? '') }))
    .filter(({ ids }) => ids.length > 0);
}

/** `test.each([...])('title', …)`: the table may contain anything, so the title is searched after it. */
function eachTitles(source: string): RegExpMatchArray[] {
  return [...source.matchAll(/\)\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*?)\1\s*,/g)];
}

export interface AreaCount {
  area: string;
  proven: number;
  all: number;
}

export function coverage(rows: Requirement[], claims: Claim[], finished: string[]) {
  const known = new Set(rows.map(({ id }) => id));
  const proven = new Set(claims.flatMap(({ ids }) => ids));
  const missing = rows.filter(({ id }) => !proven.has(id));
  const problems = [
    ...missing
      .filter(({ workPackage }) => finished.includes(workPackage))
      .map(({ id, text }) => `not proven, though its package is finished: ${id} ${text}`),
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
  return { byArea, missing, problems };
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
