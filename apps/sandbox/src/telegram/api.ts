import type { FastifyInstance, FastifyReply } from 'fastify';
import { readBody, UnreadableBody } from '../body.ts';
import { demo } from '../demo.ts';
import { garbage, type HeldConnections } from '../fault.ts';
import { BotError, badRequest, errorAnswer } from './bot-error.ts';
import type { createMethods } from './methods.ts';
import type { TelegramSwitches } from './switches.ts';

/** Methods that write to a person; flood limits and faults apply to these. */
const sending = new Set(['sendmessage', 'editmessagetext', 'editmessagereplymarkup', 'deletemessage']);
const refusals: Record<string, string> = {
  '400': 'Bad Request: chat not found',
  '401': 'Unauthorized',
  '403': 'Forbidden: user is deactivated',
  '404': 'Not Found',
  '500': 'Internal Server Error',
};

interface Parts {
  call: ReturnType<typeof createMethods>;
  switches: TelegramSwitches;
  heldConnections: HeldConnections;
}

/** The Bot API: `/bot<token>/<method>`. */
export function botApi(app: FastifyInstance, { call, switches, heldConnections }: Parts): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error);
    // The address contains the token, so only the error is logged.
    if (refusal.errorCode >= 500) request.log.error(error, 'Bot API request failed');
    return reply.code(refusal.errorCode).send(errorAnswer(refusal));
  });

  app.route<{ Params: { token: string; method: string } }>({
    method: ['GET', 'POST'],
    url: '/bot:token/:method',
    handler: async (request, reply) => {
      const { token, method } = request.params;
      if (!/^\d+:/.test(token)) throw new BotError(404, 'Not Found');
      if (token !== demo.botToken) throw new BotError(401, 'Unauthorized');
      const body = readBody(request);
      if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
        throw badRequest("can't parse JSON object");
      }
      const sent = { ...(request.query as object), ...(body as object | undefined) };
      const act = async () => ({
        ok: true,
        result: await call(method, sent, { onGone: (give) => reply.raw.once('close', give) }),
      });
      return sending.has(method.toLowerCase()) ? applyFault(String((sent as Sent).chat_id), act, reply) : act();
    },
  });

  async function applyFault(user: string, act: () => Promise<object>, reply: FastifyReply) {
    const { floodSeconds, hangMs } = switches.effective(user);
    if (floodSeconds > 0) {
      throw new BotError(429, `Too Many Requests: retry after ${floodSeconds}`, { retry_after: floodSeconds });
    }
    const fault = switches.takeFault('send', user);
    if (fault.kind === 'off') return act();
    if (fault.kind.endsWith('-done')) await act();
    if (fault.kind === 'garbage') return reply.type('text/html').send(garbage);
    if (fault.kind.startsWith('no-answer')) return heldConnections.hold(reply, hangMs);
    if (fault.kind === 'refused') {
      const code = fault.code in refusals ? fault.code : '400';
      throw new BotError(Number(code), refusals[code] ?? 'Bad Request');
    }
    throw new BotError(500, 'Internal Server Error');
  }
}

interface Sent {
  chat_id?: unknown;
}

function refusalOf(error: unknown): BotError {
  if (error instanceof BotError) return error;
  if (error instanceof UnreadableBody) return badRequest("can't parse JSON object");
  const { statusCode = 500, message = '' } = error as { statusCode?: number; message?: string };
  return statusCode < 500 ? new BotError(statusCode, message) : new BotError(500, 'Internal Server Error');
}
