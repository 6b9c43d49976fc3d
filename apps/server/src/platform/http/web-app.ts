import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import { createFirstAnswers, isSignedOut } from './web-app-answers.ts';
import { type Encoding, openWebPages } from './web-app-pages.ts';

const pathsOfTheServer = /^\/(api|sanctum|realtime|ocpp|webhooks|assets)(\/|$)/;
/** Where a page that needs sign-in leads whoever is not signed in. */
const signInPage = '/auth';

/**
 * Serves the built web app: hashed files for ever, and for every path the server does not own the page itself, with the
 * answers to what it would ask first already in it.
 */
export async function serveWebApp(
  app: FastifyInstance,
  dist: string,
  boot: { settings: { brand: string } },
): Promise<void> {
  const pages = await openWebPages(dist, boot);
  const firstAnswers = createFirstAnswers(app);
  await app.register(fastifyStatic, {
    root: dist,
    preCompressed: true,
    index: false,
    wildcard: false,
    cacheControl: false,
    // Read by this server alone, or served by it below.
    globIgnore: ['pages.json*', 'index.html*', 'manifest.webmanifest*'],
    setHeaders(reply, path) {
      const isHashed = path.includes('/assets/');
      // A browser must see a new service worker at once: it brings everything else.
      const isWorker = path.includes('/sw.js');
      reply.header(
        'cache-control',
        isHashed ? 'public, max-age=31536000, immutable' : isWorker ? 'no-cache' : 'public, max-age=300',
      );
    },
  });

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = request.url.split('?', 1)[0] ?? '/';
    const page = pages.at(path);
    const answers = await firstAnswers(path, request, reply);
    // Not signed in: the page's guard will lead to sign-in, so that page's code is sent for instead.
    const shown = page.needsSignIn && isSignedOut(answers) ? pages.at(signInPage) : page;
    const encoding = encodingOf(request);
    reply.type('text/html; charset=utf-8').headers({ vary: 'accept-encoding, cookie' });
    if (encoding) reply.header('content-encoding', encoding);
    const language = request.cookies.fpay_language ?? '';
    if (!isSignedOut(answers)) {
      // What is one driver's own is kept by no cache, and not by the browser's history either.
      return reply.header('cache-control', 'no-store').send(await shown.fill({ language, answers, encoding }));
    }
    const { etag, body } = await shown.common({ language, answers, encoding });
    reply.headers({ etag, 'cache-control': 'no-cache' });
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(body);
  }

  // The shell alone, for the service worker to keep: nobody's answers are in it.
  app.get('/index.html', async (request, reply) => {
    const encoding = encodingOf(request);
    const { etag, body } = await pages.shell.common({ language: '', answers: {}, encoding });
    if (encoding) reply.header('content-encoding', encoding);
    return reply.type('text/html; charset=utf-8').headers({ etag, 'cache-control': 'no-cache' }).send(body);
  });
  // On the home screen the app has the network's own name.
  const manifest = await readFile(join(dist, 'manifest.webmanifest'), 'utf8').catch(() => '{}');
  const { brand } = boot.settings;
  const named = JSON.stringify({ ...(JSON.parse(manifest) as object), name: brand, short_name: brand });
  app.get('/manifest.webmanifest', (_request, reply) =>
    reply.type('application/manifest+json').header('cache-control', 'public, max-age=300').send(named),
  );
  app.get('/', answer);
  app.get('/*', (request, reply) => {
    if (pathsOfTheServer.test(request.url)) throw new Refusal('not_found');
    return answer(request, reply);
  });
}

function encodingOf(request: FastifyRequest): Encoding {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  return /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : null;
}
