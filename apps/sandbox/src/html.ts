/** Markup that is safe to send. Only `html` and `raw` create it, so external text is always escaped. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | null | undefined | false | readonly Part[];

/**
 * Builds markup; every value is escaped unless it is markup itself. Lists are joined, and null or false give nothing.
 */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { markup: strings.reduce((page, text, index) => page + render(parts[index - 1]) + text) };
}

/** For our own markup that is written as text, such as an icon. Never for input. */
export function raw(markup: string): Html {
  return { markup };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  if (Array.isArray(part)) return part.map(render).join('');
  return (part as Html).markup;
}
