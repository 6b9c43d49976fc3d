import { languageRecords } from '@fpay/contract/languages';
import type { Language } from '@fpay/contract/person';

/** What messengers and search engines show of a link: the title, one sentence and a picture. */
export interface PreviewOptions {
  brand: string;
  /** The address of the site, because previews need whole addresses. */
  origin: string;
  path: string;
  language: Language;
  /** The station of the page, when every visitor may see it. */
  station?: { number: string; address: string } | null;
}

export function linkPreview({ brand, origin, path, language, station }: PreviewOptions): string {
  const { locale, sentence } = languageRecords[language].preview;
  const title = station ? `${station.number} · ${brand}` : brand;
  const text = station ? `${station.address}. ${sentence}` : sentence;
  const properties: [string, string][] = [
    ['og:type', 'website'],
    ['og:site_name', brand],
    ['og:title', title],
    ['og:description', text],
    ['og:url', `${origin}${path}`],
    ['og:locale', locale],
    ['og:image', `${origin}/preview.png`],
    ['og:image:width', '1200'],
    ['og:image:height', '630'],
    ['og:image:alt', brand],
  ];
  const tags = properties.map(([name, content]) => `<meta property="${name}" content="${escapeHtml(content)}">`);
  return [
    `<title>${escapeHtml(title)}</title>`,
    `<meta name="description" content="${escapeHtml(text)}">`,
    ...tags,
    '<meta name="twitter:card" content="summary_large_image">',
  ].join('');
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
