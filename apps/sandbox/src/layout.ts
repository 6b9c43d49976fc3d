import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Html, html, raw } from './html.ts';
import { type PartName, partNames, parts } from './parts.ts';

interface Page {
  title: string;
  lang?: string;
  /** The kind of page, which is also the name of its style sheet beside the common one. */
  kind: 'pay' | 'operator' | 'chat';
  body: Html;
}

/** Sends a page. It allows no inline script and loads nothing from other hosts. */
export function sendPage(reply: FastifyReply, page: Page, status = 200): FastifyReply {
  return sendHtml(
    reply,
    html`${raw('<!doctype html>')}
<html lang="${page.lang ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${page.title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/base.css">
<link rel="stylesheet" href="/assets/${page.kind}.css">
<script src="/assets/live.js" defer></script>
</head>
<body class="${page.kind}">
${page.body}
</body>
</html>`,
    status,
  );
}

export function sendHtml(reply: FastifyReply, { markup }: Html, status = 200): FastifyReply {
  return (
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff')
      // There is no form-action, because after a payment the form redirects the payer to the merchant's host.
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
      )
      .send(markup)
  );
}

/** The header of the sandbox's own pages; the bank's payment page does not have it. */
export function sandboxHeader(current: PartName): Html {
  return html`<header class="operator-top">
<a class="brand" href="/">Sandbox</a>
<nav class="operator-links">${partNames.map(
    (part) => html`<a href="/${part}"${part === current && raw(' aria-current="page"')}>${parts[part].name}</a>`,
  )}</nav>
</header>`;
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** The style sheets and the script of all pages. */
export function serveAssets(app: FastifyInstance): void {
  const folder = join(import.meta.dirname, 'assets');
  for (const name of readdirSync(folder)) {
    const content = readFileSync(join(folder, name));
    app.get(`/assets/${name}`, (_request, reply) =>
      reply
        .type(types[extname(name)] ?? 'text/plain')
        .header('cache-control', 'no-cache')
        .send(content),
    );
  }
}

export function clockTime(at: number): string {
  return new Date(at).toLocaleString('sv-SE', { timeZone: 'Europe/Kyiv' });
}
