import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { languageOfTag, languages } from '@fpay/contract/languages';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../platform/refusal.ts';
import { openWebPages, type PageEncoding, type WebPageOptions } from './pages.ts';
import { createFirstAnswers, isSignedOut } from './preloaded-answers.ts';

const pathsOfTheServer = /^\/(api|sanctum|realtime|ocpp|webhooks|assets)(\/|$)/;
/** The page to which visitors are redirected by pages that require sign-in. */
const signInPage = '/auth';

/**
 * Serves the built web app: hashed files with an unlimited cache, and the page itself for every path that the server
 * does not own, with the answers to its first requests already in it.
 */
export async function serveWebApp(app: FastifyInstance, dist: string, { boot, origin }: WebPageOptions): Promise<void> {
  const pages = await openWebPages(dist, { boot, origin });
  const firstAnswers = createFirstAnswers(app);
  await serveFiles(app, dist);
  await serveManifest(app, dist, boot.settings.brand);

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = request.url.split('?', 1)[0] ?? '/';
    const page = pages.at(path);
    const answers = await firstAnswers(path, request, reply);
    // The visitor is not signed in, so the page will redirect to sign-in; the code of that page is sent instead.
    const isVisitor = page.needsSignIn && isSignedOut(answers);
    const shown = isVisitor ? pages.at(signInPage) : page;
    // Only a station has an answer for a visitor, and then the sign-in page begins with that station.
    const landing = isVisitor && Object.keys(answers).length > 1 ? page.landing : null;
    const encoding = encodingOf(request);
    reply.type('text/html; charset=utf-8').headers({ vary: 'accept-encoding, accept-language, cookie' });
    if (encoding) reply.header('content-encoding', encoding);
    const language = languageOfTag(request.cookies.fpay_language ?? request.headers['accept-language'] ?? '');
    if (!isSignedOut(answers) || landing) {
      // Data of one driver and states of connectors must not be stored by any cache, nor by the browser's history.
      return reply
        .header('cache-control', 'no-store')
        .send(await shown.fill({ path, language, answers, encoding, landing }));
    }
    const { etag, body } = await shown.common({ path, language, answers, encoding });
    reply.headers({ etag, 'cache-control': 'no-cache' });
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(body);
  }

  // The shell without any answers, for the service worker to store.
  app.get('/index.html', async (request, reply) => {
    const encoding = encodingOf(request);
    const { etag, body } = await pages.shell.common({ path: '/', language: languages[0], answers: {}, encoding });
    if (encoding) reply.header('content-encoding', encoding);
    return reply.type('text/html; charset=utf-8').headers({ etag, 'cache-control': 'no-cache' }).send(body);
  });
  app.get('/', answer);
  app.get('/*', (request, reply) => {
    if (pathsOfTheServer.test(request.url)) throw new Refusal('not_found');
    return answer(request, reply);
  });
}

/** The built files. Those with a hash in their name never change. */
async function serveFiles(app: FastifyInstance, dist: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: dist,
    preCompressed: true,
    index: false,
    wildcard: false,
    cacheControl: false,
    // Read only by this server, or served below.
    globIgnore: ['pages.json*', 'index.html*', 'manifest.webmanifest*'],
    setHeaders(reply, path) {
      const isHashed = path.includes('/assets/');
      // A browser must see a new service worker at once, because it updates everything else.
      const isWorker = path.includes('/sw.js');
      reply.header(
        'cache-control',
        isHashed ? 'public, max-age=31536000, immutable' : isWorker ? 'no-cache' : 'public, max-age=300',
      );
    },
  });
}

/** On the home screen the app has the network's own name. */
async function serveManifest(app: FastifyInstance, dist: string, brand: string): Promise<void> {
  const manifest = await readFile(join(dist, 'manifest.webmanifest'), 'utf8').catch(() => '{}');
  const named = JSON.stringify({ ...(JSON.parse(manifest) as object), name: brand, short_name: brand });
  app.get('/manifest.webmanifest', (_request, reply) =>
    reply.type('application/manifest+json').header('cache-control', 'public, max-age=300').send(named),
  );
}

function encodingOf(request: FastifyRequest): PageEncoding {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  return /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : null;
}
