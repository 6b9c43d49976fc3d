// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = import.meta.dirname;

/** What each part may import beside itself. Screens use building blocks, never the other way round. */
const allowed: Record<string, string[]> = {
  app: ['features', 'data', 'ui', 'api', 'router', 'i18n'],
  features: ['data', 'ui', 'api', 'router', 'i18n'],
  data: ['ui', 'api', 'i18n'],
  ui: ['router', 'i18n'],
  api: ['i18n'],
  router: [],
  i18n: [],
};

interface Import {
  from: string;
  to: string;
}

function importsOf(file: string): Import[] {
  const code = readFileSync(file, 'utf8');
  const paths = Array.from(code.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g), ([, path = '']) => path);
  return paths.map((path) => ({
    from: relative(source, file),
    to: relative(source, resolve(dirname(file), path)),
  }));
}

const imports = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.') && !file.startsWith('testing'))
  .flatMap((file) => importsOf(join(source, file)));

const partOf = (path: string) => path.split('/')[0] ?? '';
const featureOf = (path: string) => (partOf(path) === 'features' ? path.split('/')[1] : null);
const show = ({ from, to }: Import) => `${from} → ${to}`;

describe('imports', () => {
  it('point from app to features to building blocks', () => {
    const wrong = imports.filter(({ from, to }) => {
      const part = partOf(from);
      return part !== partOf(to) && !allowed[part]?.includes(partOf(to));
    });
    expect(imports.length).toBeGreaterThan(100);
    expect(wrong.map(show)).toEqual([]);
  });

  it('between features reach only the other feature’s queries', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        featureOf(from) && featureOf(to) && featureOf(from) !== featureOf(to) && !to.endsWith('/queries.ts'),
    );
    expect(wrong.map(show)).toEqual([]);
  });

  it('use the parts of the contract, so that no page contains calls that it never makes', () => {
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
    const whole = files.filter((file) => /from '@fpay\/contract'/.test(readFileSync(join(source, file), 'utf8')));
    expect(whole).toEqual([]);
  });
});
