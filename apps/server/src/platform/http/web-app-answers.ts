import { setTimeout as sleep } from 'node:timers/promises';
import { getUser } from '@fpay/contract/account';
import { getOperation } from '@fpay/contract/charging';
import { getStation, getVirtualStation } from '@fpay/contract/stations';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** By the address of the call, as the page would have asked it. */
export type Answers = Record<string, { status: number; body: unknown }>;

/** What a page asks as soon as it runs, beside who is there. */
const firstCalls: readonly { page: RegExp; call: string }[] = [
  { page: /^\/station\/([^/]+)\/?$/, call: getStation.path },
  { page: /^\/station\/v\/([^/]+)\/?$/, call: getVirtualStation.path },
  { page: /^\/status\/(\d+)\/?$/, call: getOperation.path },
];

/** A page that waits longer is better off drawing its skeleton and asking by itself. */
const patienceMs = 1000;

/**
 * Asks this very server what the page would ask, with the visitor's own cookies: so a closed party, a ban or maintenance
 * hold here as they hold for the calls themselves, and a page never shows what its visitor may not see.
 */
export function createFirstAnswers(app: FastifyInstance) {
  async function ask(url: string, request: FastifyRequest, reply: FastifyReply): Promise<Answers> {
    const { cookie, 'user-agent': userAgent } = request.headers;
    const { statusCode, headers, body } = await app.inject({
      method: 'GET',
      url,
      remoteAddress: request.ip,
      headers: {
        accept: 'application/json',
        ...(cookie !== undefined && { cookie }),
        ...(userAgent !== undefined && { 'user-agent': userAgent }),
      },
    });
    // A session that slid sends its cookies again; they belong to the page's own answer.
    if (headers['set-cookie']) reply.header('set-cookie', headers['set-cookie']);
    // A failure may pass: the page asks again by itself, as often as its rules say.
    if (statusCode >= 500 || statusCode === 429) return {};
    return { [url]: { status: statusCode, body: JSON.parse(body) as unknown } };
  }

  return async (path: string, request: FastifyRequest, reply: FastifyReply): Promise<Answers> => {
    const asked = Promise.all(callsOf(path).map((url) => ask(url, request, reply))).then(
      (answers): Answers => Object.assign({}, ...answers),
    );
    const none: Answers = {};
    const answers = await Promise.race([asked.catch(() => none), sleep(patienceMs, none, { ref: false })]);
    if (!isSignedOut(answers)) return answers;
    // Whatever else was asked is refused for the same reason.
    return { [getUser.path]: answers[getUser.path] as Answers[string] };
  };
}

function callsOf(path: string): string[] {
  const page = firstCalls.find(({ page }) => page.test(path));
  const parameter = page?.page.exec(path)?.[1] ?? '';
  return [getUser.path, ...(page ? [page.call.replace(/:\w+/, parameter)] : [])];
}

export function isSignedOut(answers: Answers): boolean {
  return answers[getUser.path]?.status === 401;
}
