import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';

const bootMarker = '<!--boot-->';
const pathsOfTheServer = /^\/(api|sanctum|realtime|ocpp|webhooks|assets)(\/|$)/;

/** Serves the built web app: hashed files for ever, and the page itself for every path the server does not own. */
export async function serveWebApp(app: FastifyInstance, dist: string, boot: object): Promise<void> {
  const page = await readPage(dist, boot);
  await app.register(fastifyStatic, {
    root: dist,
    preCompressed: true,
    index: false,
    wildcard: false,
    cacheControl: false,
    setHeaders(reply, path) {
      const isHashed = path.includes('/assets/');
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=300');
    },
  });
  app.get('/', (request, reply) => sendPage(page, request, reply));
  app.get('/*', (request, reply) => {
    if (pathsOfTheServer.test(request.url)) throw new Refusal('not_found');
    return sendPage(page, request, reply);
  });
}

interface Page {
  etag: string;
  plain: Buffer;
  gzip: Buffer;
  br: Buffer;
}

/** The page carries what every visitor needs first, so that it need not ask: compressed once, at start. */
async function readPage(dist: string, boot: object): Promise<Page> {
  const html = await readFile(join(dist, 'index.html'), 'utf8');
  // `<` cannot appear in the JSON, so no text of the settings can end the script element.
  const json = JSON.stringify(boot).replaceAll('<', '\\u003c');
  const plain = Buffer.from(
    html.replace(bootMarker, () => `<script type="application/json" id="boot">${json}</script>`),
  );
  return {
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    plain,
    gzip: await promisify(gzip)(plain),
    br: await promisify(brotliCompress)(plain),
  };
}

function sendPage(page: Page, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ etag: page.etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
  if (request.headers['if-none-match'] === page.etag) return reply.code(304).send();
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : null;
  if (encoding) reply.header('content-encoding', encoding);
  return reply.type('text/html; charset=utf-8').send(encoding ? page[encoding] : page.plain);
}
