import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * The colours of texts, in both themes. Texts are small, so the ratio is that of WCAG AA for normal text. `npm test -- --all` also asks axe
 * on every page; this table is about all pages, those that no test opens as well.
 */
const least = 4.5;
const root = join(import.meta.dirname, '../..');
const tokens = readTokens(readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8'));

/** A page, a card, and what lies on it: a text of any colour may stand on all of these, whichever element sets it. */
const statuses = ['free', 'ready', 'charging', 'occupied', 'offline', 'error', 'promo'] as const;
const grounds = [
  'bg',
  'surface',
  'surface-2',
  'surface-3',
  'accent-soft',
  ...statuses.map((status) => `${status}-tint`),
];
const texts = ['ink', 'ink-2', 'ink-3', 'accent-text', 'danger', ...statuses];
/** A tint is the ground of its own status, and these colours are too near to it. */
const apart = ['accent-text on offline-tint', 'free on offline-tint', 'free on promo-tint'];

/** A strong ground has its own text, and the element that has the ground says so. */
const ownTexts: Record<string, readonly string[]> = {
  accent: ['on-accent'],
  'accent-press': ['on-accent'],
  'stop-bg': ['stop-ink'],
  danger: ['on-danger'],
  wallet: ['on-wallet', 'on-wallet-2'],
  ink: ['surface', 'bg'],
  thumb: ['ink'],
  promo: ['surface'],
  'occupied-fill': ['on-accent'],
};

const themes = { light: 0, dark: 1 } as const;

test.each(Object.entries(themes))('%s: every colour of texts can be read on every ground', (_, theme) => {
  const pairs = [
    ...texts.flatMap((text) => grounds.map((ground) => [text, ground] as const)),
    ...Object.entries(ownTexts).flatMap(([ground, own]) => own.map((text) => [text, ground] as const)),
  ];
  const low = pairs
    .filter(([text, ground]) => !apart.includes(`${text} on ${ground}`))
    .map(([text, ground]) => ({ pair: `${text} on ${ground}`, ratio: contrast(text, ground, theme) }))
    .filter(({ ratio }) => ratio < least);
  expect(low).toEqual([]);
});

test('every colour that a class names for a text is in the table', () => {
  const known = new Set([...texts, ...Object.values(ownTexts).flat(), 'current', 'transparent']);
  const unknown = classLists().flatMap(({ file, classes }) =>
    namesAfter('text', classes)
      .filter((name) => name in tokens && !known.has(name))
      .map((name) => `${file}: text-${name}`),
  );
  expect(unknown.filter((one) => !isPaint(one))).toEqual([]);
});

test('a class list with a ground and a text has a pair of the table', () => {
  const others = classLists().flatMap(({ file, classes }) => {
    // What a half-transparent ground lets through is the map or the page, whose colours are near to it.
    const [ground] = namesAfter('bg', classes).map((name) => name.replace(/\/\d+$/, ''));
    const wrong = namesAfter('text', classes).filter((text) => text in tokens && ground && !isPair(text, ground));
    return wrong.map((text) => `${file}: text-${text} on bg-${ground}`);
  });
  expect(others.filter((one) => !isPaint(one))).toEqual([]);
});

/** A fill colours dots, bars and signs, never a text: `text-*-fill` is the `currentColor` of such a sign. */
const isPaint = (one: string) => /text-[\w-]+-fill/.test(one);

function isPair(text: string, ground: string): boolean {
  if (ground in ownTexts) return ownTexts[ground]?.includes(text) ?? false;
  return texts.includes(text) && grounds.includes(ground) && !apart.includes(`${text} on ${ground}`);
}

/** Every string of the sources that may be a list of classes, without variants such as `hover:`. */
function classLists(): { file: string; classes: string[] }[] {
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.tsx?$|^i18n\//.test(file));
  return files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/(['"`])([^'"`\n]*\b(?:bg|text)-[^'"`\n]*)\1/g)].map(
      ([, , list = '']) => ({ file, classes: list.split(/\s+/).filter((name) => !name.includes(':')) }),
    ),
  );
}

const namesAfter = (kind: 'bg' | 'text', classes: readonly string[]): string[] =>
  classes.flatMap((name) => (name.startsWith(`${kind}-`) ? [name.slice(kind.length + 1)] : []));

type Colour = readonly [light: string, dark: string];

function readTokens(css: string): Record<string, Colour> {
  const declared = css.matchAll(/--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g);
  return Object.fromEntries([...declared].map(([, name, light, dark, both]) => [name, [light ?? both, dark ?? both]]));
}

function contrast(one: string, other: string, theme: 0 | 1): number {
  const [darker = 0, lighter = 0] = [one, other].map((name) => luminance(tokens[name]?.[theme] ?? '')).toSorted();
  return Math.round(((lighter + 0.05) / (darker + 0.05)) * 100) / 100;
}

/** As WCAG defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
