import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { rawBody, readBody, UnreadableBody } from '../body.ts';
import { demo } from '../demo.ts';
import { type Fault, garbage } from '../fault.ts';
import { type BankParts, merchantCalls } from './calls.ts';
import { BankRefusal, httpStatusOf } from './refusal.ts';

/** The merchant API, mounted at `/bank/api/merchant`. */
export function bankApi(app: FastifyInstance, parts: BankParts): void {
  const { callLog, switches, heldConnections, invoices } = parts;
  const calls = merchantCalls(parts);

  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error);
    if (refusal.errCode === 'INTERNAL_ERROR') request.log.error(error, 'bank request failed');
    return reply.code(httpStatusOf(refusal.errCode)).send(refusal);
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ errCode: 'NOT_FOUND', errText: 'no such call' }));
  app.addHook('onRequest', async (request) => checkToken(request.headers['x-token']));
  app.addHook('onSend', async (request, reply, payload) => {
    const answer = typeof payload === 'string' ? payload : '';
    log(request, reply.statusCode, answer);
    return payload;
  });

  const log = (request: FastifyRequest, status: number | null, answer: string) =>
    callLog.add({
      direction: 'call',
      what: `${request.method} ${request.url.replace(/^\/bank/, '')}`,
      status,
      request: rawBody(request),
      answer,
    });

  /** The reference and the id of a call, for switches that apply to one invoice only. */
  function scopesOf(sent: unknown): (string | null)[] {
    const { invoiceId, merchantPaymInfo } = (sent ?? {}) as Record<string, unknown>;
    const { reference } = (merchantPaymInfo ?? {}) as Record<string, unknown>;
    if (typeof invoiceId === 'string') return [invoices.find(invoiceId)?.reference ?? null, invoiceId];
    return [typeof reference === 'string' ? reference : null];
  }

  async function applyFault(fault: Fault, act: () => object, request: FastifyRequest, reply: FastifyReply) {
    if (fault.kind.endsWith('-done')) act();
    if (fault.kind === 'garbage') return reply.type('text/html').send(garbage);
    if (fault.kind === 'refused') {
      const errCode = fault.code || 'BAD_REQUEST';
      return reply.code(httpStatusOf(errCode)).send({ errCode, errText: 'refused, as switched' });
    }
    if (fault.kind.startsWith('no-answer')) {
      log(request, null, 'no answer, as switched');
      return heldConnections.hold(reply, switches.effective(...scopesOf(sentWith(request))).hangMs);
    }
    return reply.code(500).send({ errCode: 'INTERNAL_ERROR', errText: 'internal server error' });
  }

  for (const { method, path, name, answer } of calls) {
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const sent = sentWith(request);
        const act = () => answer(sent, parts.origin(request));
        const fault = switches.takeFault(name, ...scopesOf(sent));
        return fault.kind === 'off' ? act() : applyFault(fault, act, request, reply);
      },
    });
  }
  for (const path of new Set(calls.map((call) => call.path))) {
    const known = calls.filter((call) => call.path === path).map((call) => call.method);
    app.route({
      method: (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter(
        (method) => !known.some((name) => name === method),
      ) as HTTPMethods[],
      url: path,
      handler: async () => {
        throw new BankRefusal('METHOD_NOT_ALLOWED', 'Method not allowed');
      },
    });
  }
}

function sentWith(request: FastifyRequest): unknown {
  return request.method === 'POST' ? readBody(request) : request.query;
}

function checkToken(token: string | string[] | undefined): void {
  if (token === undefined) throw new BankRefusal('BAD_REQUEST', "missing required header 'X-Token'");
  const hash = (text: string) => createHash('sha256').update(text).digest();
  if (!timingSafeEqual(hash(String(token)), hash(demo.bankToken))) {
    throw new BankRefusal('FORBIDDEN', "invalid 'X-Token'");
  }
}

function refusalOf(error: unknown): { errCode: string; errText: string } {
  if (error instanceof BankRefusal) return { errCode: error.errCode, errText: error.message };
  if (error instanceof UnreadableBody) return { errCode: 'BAD_REQUEST', errText: error.message };
  const { statusCode = 500, message = '' } = error as { statusCode?: number; message?: string };
  if (statusCode < 500) return { errCode: 'BAD_REQUEST', errText: message };
  return { errCode: 'INTERNAL_ERROR', errText: 'internal server error' };
}
