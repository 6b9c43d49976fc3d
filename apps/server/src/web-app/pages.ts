import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { addressFor, languages } from '@fpay/contract/languages';
import type { Language } from '@fpay/contract/person';
import { escapeHtml, linkPreview } from './link-preview.ts';
import type { Answers } from './preloaded-answers.ts';

export type PageEncoding = 'br' | 'gzip' | null;

/** As the web build wrote it: the files that a page needs in addition to those in `index.html`. */
interface PageFiles {
  path: string;
  needsSignIn: boolean;
  files: string[];
  words: Record<string, string[]>;
  /** The content of the page before its code runs, by language. */
  firstPaint: Record<string, string>;
  /** For a visitor who has to sign in first but may see this page's subject: other files, and another first content. */
  landing?: Landing | null;
}

interface Landing {
  files: string[];
  firstPaint: Record<string, string>;
}

interface Filling {
  /** The path of the request, for the preview of its link. */
  path: string;
  language: Language;
  answers: Answers;
  encoding: PageEncoding;
  landing?: Landing | null;
}

const bootMarker = '<!--boot-->';
const titleElement = /<title>[^<]*<\/title>/;
const loadingAnimation = /<!--first-paint-->[\s\S]*<!--\/first-paint-->/;

export interface WebPageOptions {
  /** Written into each page. */
  boot: { settings: { brand: string } };
  /** The address of the site. */
  origin: string;
}

/** The page with all data that can be derived from its address. */
export async function openWebPages(dist: string, { boot, origin }: WebPageOptions) {
  const paintWords = { brand: boot.settings.brand };
  const html = await readFile(join(dist, 'index.html'), 'utf8');
  const declared = JSON.parse(await readFile(join(dist, 'pages.json'), 'utf8').catch(() => '[]')) as PageFiles[];
  const shell = createPage({ path: '', needsSignIn: false, files: [], words: {}, firstPaint: {} });
  // The more exact path comes first: `/car/add` before `/car/:carId`.
  const pages = declared
    .map((files) => ({ pattern: patternOf(files.path), page: createPage(files) }))
    .sort((a, b) => Number(a.pattern.source.includes('[')) - Number(b.pattern.source.includes('[')));

  function createPage({ needsSignIn, files, words, firstPaint, landing = null }: PageFiles) {
    const kept = new Map<string, Promise<{ etag: string; body: Buffer }>>();

    function fillIn({ path, language, answers, landing = null }: Filling): Buffer {
      const wanted = [...(landing?.files ?? files), ...(words[language] ?? words[languages[0]] ?? [])];
      const paint = landing?.firstPaint ?? firstPaint;
      const preloads = wanted.map(preloadOf).join('');
      // `<` cannot appear in the JSON, so no text of the settings or answers can end the script element.
      const json = JSON.stringify({ ...boot, answers }).replaceAll('<', '\\u003c');
      const script = `<script type="application/json" id="boot">${json}</script>`;
      const paintValues = paintOf(answers, language);
      const { brand } = boot.settings;
      const station = stationIn(paintValues);
      const painted = fillPaint(paint[language] ?? paint[languages[0]], {
        ...paintWords,
        ...paintValues,
      });
      return Buffer.from(
        html
          .replace(bootMarker, () => preloads + script)
          .replace(titleElement, () => linkPreview({ brand, origin, path, language, station }))
          .replace(loadingAnimation, (animation) => painted ?? animation)
          .replace('<html lang="uk">', `<html lang="${language in words ? language : languages[0]}">`),
      );
    }

    return {
      needsSignIn,
      landing,
      /** For one driver. It is compressed for each request, so with a low quality. */
      fill: (filling: Filling): Promise<Buffer> => compress(fillIn(filling), filling.encoding, 4),
      /** The same for all users of this language, so it is built once. */
      common(filling: Filling): Promise<{ etag: string; body: Buffer }> {
        const language = filling.language in words ? filling.language : languages[0];
        // The address in the preview is left out: every visitor's path would be a page of its own in memory.
        const key = `${language} ${filling.encoding} ${Object.keys(filling.answers)}`;
        const made = kept.get(key) ?? make(fillIn({ ...filling, path: '/', language }), filling.encoding);
        kept.set(key, made);
        return made;
      },
    };
  }

  return {
    shell,
    at: (path: string) => pages.find(({ pattern }) => pattern.test(path))?.page ?? shell,
  };
}

const preloadOf = (file: string) =>
  `<link rel=${file.endsWith('.css') ? '"preload" as="style"' : '"modulepreload"'} crossorigin href="${file}">`;

async function make(plain: Buffer, encoding: PageEncoding): Promise<{ etag: string; body: Buffer }> {
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { etag, body: await compress(plain, encoding, constants.BROTLI_MAX_QUALITY) };
}

async function compress(plain: Buffer, encoding: PageEncoding, quality: number): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(plain);
  if (encoding === null) return plain;
  return promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
}

/** `/station/:station` → a pattern of its addresses. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\/:\w+/g, '/[^/]+').replace(/\/$/, '')}/?$`, 'i');
}

/** Values from the answers for the first lines of the page. */
function paintOf(answers: Answers, language: Language): Record<string, string> {
  for (const { body } of Object.values(answers)) {
    const { number, address, address_uk } = body as Record<string, unknown>;
    if (typeof number !== 'string') continue;
    return { number, address: String(addressFor({ address, address_uk }, language)) };
  }
  return {};
}

/** Null when one of its values is not known; the loading animation then stays. */
function fillPaint(html: string | undefined, words: Record<string, string>): string | null {
  if (html === undefined) return null;
  const names = Array.from(html.matchAll(/\{\{(\w+)\}\}/g), ([, name = '']) => name);
  if (names.some((name) => words[name] === undefined)) return null;
  return html.replace(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(words[name] ?? ''));
}

function stationIn({ number, address }: Record<string, string>): { number: string; address: string } | null {
  return number !== undefined && address !== undefined ? { number, address } : null;
}
