import { badRequest } from './bot-error.ts';
import type { Entity } from './types.ts';

const tags: Record<string, string> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  del: 'strikethrough',
  code: 'code',
  pre: 'pre',
  a: 'text_link',
  blockquote: 'blockquote',
  'tg-spoiler': 'spoiler',
};
const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** `parse_mode: HTML`: returns the visible text and the positions of bold text and links. */
export function parseHtml(source: string): { text: string; entities: Entity[] } {
  let text = '';
  const open: (Entity & { tag: string })[] = [];
  const entities: Entity[] = [];
  const token = /<(\/?)([a-z-]+)(?:\s+href="([^"]*)")?[^<>]*>|&(?:#(\d{1,7})|([a-z]+));|([\s\S])/gi;

  for (const [whole, slash, name, href, number, sign, plain] of source.matchAll(token)) {
    if (name !== undefined) {
      const tag = name.toLowerCase();
      const type = tags[tag];
      if (!type) throw badRequest(`can't parse entities: Unsupported start tag "${tag}" at byte offset ${text.length}`);
      if (slash) {
        const last = open.pop();
        if (last?.tag !== tag) {
          throw badRequest(`can't parse entities: Unmatched end tag at byte offset ${text.length}`);
        }
        const { tag: _tag, ...entity } = last;
        if (text.length > last.offset) entities.push({ ...entity, length: text.length - last.offset });
      } else {
        open.push({ tag, type, offset: text.length, length: 0, ...(href !== undefined && { url: href }) });
      }
    } else if (number !== undefined || sign !== undefined) {
      text += number === undefined ? (signs[sign?.toLowerCase() ?? ''] ?? whole) : codePoint(Number(number), whole);
    } else {
      if (plain === '<') throw badRequest(`can't parse entities: Unclosed start tag at byte offset ${text.length}`);
      text += plain;
    }
  }
  const [unclosed] = open;
  if (unclosed)
    throw badRequest(`can't parse entities: Can't find end tag corresponding to start tag "${unclosed.tag}"`);
  return { text, entities: entities.sort((a, b) => a.offset - b.offset || b.length - a.length) };
}

/** Telegram marks commands itself, anywhere in a text. */
export function commandsIn(text: string): Entity[] {
  const command = /(?<=^|\s)\/[A-Za-z0-9_]{1,32}(?:@[A-Za-z0-9_]{5,32})?/g;
  return [...text.matchAll(command)].map(({ 0: found, index }) => ({
    type: 'bot_command',
    offset: index,
    length: found.length,
  }));
}

function codePoint(number: number, whole: string): string {
  return number > 0 && number <= 0x10ffff ? String.fromCodePoint(number) : whole;
}
