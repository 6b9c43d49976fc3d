import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** What operators copy from the documents exists and is written as the shell reads it. */
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const documents = ['README.md', 'CONTRIBUTING.md', 'docs/deploy.md', 'docs/operations.md', 'docs/scale.md'];
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

test.each(documents)('%s: every npm command exists, and every path that it names', (document) => {
  const text = read(document);
  const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
  expect(commands.length).toBeGreaterThan(0);
  expect(commands.filter((name) => !scripts[name])).toEqual([]);
  const paths = [...text.matchAll(/(?<![\w/.])((?:deploy|scripts)\/[\w./-]+)/g)].map(([, path = '']) =>
    path.replace(/[.,]$/, ''),
  );
  expect(paths.filter((path) => path !== 'deploy/.env' && !existsSync(`${root}${path}`))).toEqual([]);
});

test.each(documents)('%s: the shell reads every block of commands', (document) => {
  for (const [, block = ''] of read(document).matchAll(/^```sh\n([\s\S]*?)^```/gm)) {
    expect(() => execFileSync('sh', ['-n'], { input: block, stdio: ['pipe', 'pipe', 'pipe'] }), block).not.toThrow();
  }
});

test('links between documents lead to a file and a heading', () => {
  const slug = (title: string) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replace(/\s+/g, '-');
  const broken = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
      .filter(([, path = '', heading]) => {
        const base = document.includes('/') ? `${document.split('/')[0]}/` : '';
        const file = path === '' ? document : `${base}${path}`;
        if (!existsSync(`${root}${file}`)) return true;
        if (!heading) return false;
        return ![...read(file).matchAll(/^#+ (.+)$/gm)].some(([, title = '']) => slug(title) === heading);
      })
      .map(([link]) => `${document}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('the scripts for backups are plain sh, and refuse what would destroy data', () => {
  const files = globSync('deploy/**/*.sh', { cwd: root });
  expect(files.length).toBeGreaterThan(4);
  for (const file of files) execFileSync('sh', ['-n', `${root}${file}`]);
  const restore = () => execFileSync('sh', [`${root}deploy/backup/restore.sh`, root, root, root], { stdio: 'pipe' });
  expect(restore).toThrow(/is not empty/);
  const none = () => execFileSync('sh', [`${root}deploy/backup/base-backup.sh`, '', root, '0'], { stdio: 'pipe' });
  expect(none).toThrow(/KEEP must be a number from 1/);
});
