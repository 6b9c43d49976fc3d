import { setTimeout as sleep } from 'node:timers/promises';
import { getUser } from '@fpay/contract/account';
import { getOperation } from '@fpay/contract/charging';
import { getStation, getVirtualStation } from '@fpay/contract/stations';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** By the address of the call, as the page would request it. */
export type Answers = Record<string, { status: number; body: unknown }>;

/** What a page requests as soon as it runs, in addition to the current user. */
const firstCalls: readonly { page: RegExp; call: string }[] = [
  { page: /^\/station\/([^/]+)\/?$/, call: getStation.path },
  { page: /^\/station\/v\/([^/]+)\/?$/, call: getVirtualStation.path },
  { page: /^\/status\/(\d+)\/?$/, call: getOperation.path },
];

/** After this time it is better when the page shows its skeleton and requests the data itself. */
const timeoutMs = 1000;

/**
 * Calls this server's own endpoints with the visitor's cookies. A closed party, a ban or maintenance therefore applies
 * here as it does to the calls themselves, and a page never contains what its visitor may not see.
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
    // A prolonged session sends its cookies again; they belong to the answer with the page.
    if (headers['set-cookie']) reply.header('set-cookie', headers['set-cookie']);
    // A failure may be temporary: the page repeats the request itself, according to its rules.
    if (statusCode >= 500 || statusCode === 429) return {};
    return { [url]: { status: statusCode, body: JSON.parse(body) as unknown } };
  }

  return async (path: string, request: FastifyRequest, reply: FastifyReply): Promise<Answers> => {
    const asked = Promise.all(callsOf(path).map((url) => ask(url, request, reply))).then(
      (answers): Answers => Object.assign({}, ...answers),
    );
    const none: Answers = {};
    const answers = await Promise.race([asked.catch(() => none), sleep(timeoutMs, none, { ref: false })]);
    if (!isSignedOut(answers)) return answers;
    // A visitor of a station sees it on the sign-in page. Other calls are refused for want of a session.
    return Object.fromEntries(
      Object.entries(answers).filter(([call, { status }]) => call === getUser.path || status === 200),
    );
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
