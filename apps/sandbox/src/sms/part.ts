import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { isForm, readBody, UnreadableBody } from '../body.ts';
import { demo } from '../demo.ts';
import { garbage, type HeldConnections } from '../fault.ts';
import { sendHtml, sendPage } from '../layout.ts';
import type { Part, PartContext } from '../part.ts';
import { createSwitches, fromForm } from '../switches.ts';
import { answer, isCode, perRecipient, SmsRefusal } from './codes.ts';
import { phoneOf } from './message.ts';
import { messageList, smsPage } from './page.ts';
import { createSms } from './service.ts';
import { createSmsStore, type SmsStore } from './store.ts';
import { SmsSwitchChange, type SmsSwitches, smsDefaults } from './switches.ts';

export function createSmsPart({ db, clock, heldConnections }: PartContext): Part {
  const switches = createSwitches(db, 'sms', smsDefaults);
  const store = createSmsStore(db);
  const sms = createSms({ db, clock, store, switches });
  return {
    routes(app) {
      app.register(async (api) => smsApi(api, sms, switches, heldConnections));
      app.register(async (pages) => smsRoutes(pages, store, switches));
    },
    stop: async () => {},
  };
}

type SmsCall = 'send' | 'status' | 'balance';

/** TurboSMS itself: POST `/message/send.json` and similar. */
function smsApi(
  app: FastifyInstance,
  sms: ReturnType<typeof createSms>,
  switches: SmsSwitches,
  heldConnections: HeldConnections,
): void {
  const calls: { path: string; name: SmsCall; act(sent: unknown): object }[] = [
    { path: '/message/send.json', name: 'send', act: sms.send },
    { path: '/message/status.json', name: 'status', act: sms.status },
    { path: '/user/balance.json', name: 'balance', act: sms.balance },
  ];

  app.setErrorHandler((error, request, reply) => {
    if (error instanceof SmsRefusal) return reply.code(200).send(answer(error.code));
    if (error instanceof UnreadableBody) return reply.code(200).send(answer(502));
    if (((error as { statusCode?: number }).statusCode ?? 500) < 500) return reply.code(200).send(answer(300));
    request.log.error(error, 'TurboSMS request failed');
    return reply.code(200).send(answer(999));
  });

  for (const { path, name, act } of calls) {
    app.route({
      method: ['GET', 'POST'],
      url: path,
      handler: async (request, reply) => {
        checkToken(request);
        const sent = readBody(request);
        if (sent === undefined && name !== 'balance') throw new SmsRefusal(104);
        return applyFault(name, sent, reply, () => act(sent));
      },
    });
  }

  app.post('/message/ping.json', (request) => {
    checkToken(request);
    return sms.ping();
  });

  /** Faults that apply to one recipient are handled by the sending, which answers for each number. */
  function applyFault(name: SmsCall, sent: unknown, reply: FastifyReply, act: () => object) {
    const scope = name === 'send' ? phoneIn(sent) : null;
    const coming = switches.effective(scope)[name];
    if (name === 'send' && coming.kind === 'refused' && perRecipient.some((code) => code === Number(coming.code))) {
      return act();
    }
    const fault = switches.takeFault(name, scope);
    if (fault.kind === 'off') return act();
    if (fault.kind.endsWith('-done')) act();
    if (fault.kind === 'garbage') return reply.type('text/html').send(garbage);
    if (fault.kind.startsWith('no-answer')) return heldConnections.hold(reply, switches.effective(scope).hangMs);
    if (fault.kind === 'refused') return answer(isCode(Number(fault.code)) ? (Number(fault.code) as 999) : 999);
    return reply.code(500).send(answer(999));
  }
}

/** The routes for people and tests. */
function smsRoutes(app: FastifyInstance, store: SmsStore, switches: SmsSwitches): void {
  const wanted = (phone: unknown) => (typeof phone === 'string' && phone.trim() !== '' ? phone : null);
  const messagesOf = (phone: string | null) =>
    phone === null ? store.recent(200) : store.recent(200, phoneOf(phone) ?? phone);

  app.get<{ Querystring: Record<string, unknown> }>('/', ({ query }, reply) => {
    const phone = wanted(query.phone);
    if (query.part === 'messages') return sendHtml(reply, messageList(messagesOf(phone)));
    const body = smsPage({ messages: messagesOf(phone), phone, balance: store.balance(), switches });
    return sendPage(reply, { title: 'Sandbox · SMS', kind: 'operator', body });
  });
  app.get<{ Querystring: Record<string, unknown> }>('/messages', ({ query }) => ({
    messages: messagesOf(wanted(query.phone)).map(({ createdAt, startAt: _startAt, ...message }) => ({
      ...message,
      created_at: new Date(createdAt).toISOString(),
    })),
  }));

  const switchState = () => ({
    defaults: smsDefaults,
    everyone: switches.own(null),
    phones: Object.fromEntries(switches.scopes().map((scope) => [scope, switches.own(scope)])),
    balanceKopecks: store.balance(),
  });
  app.get('/switches', switchState);
  app.delete('/switches', () => {
    switches.reset();
    return switchState();
  });
  app.post('/switches', (request, reply) => {
    const { reset, phone: scope, ...fields } = (readBody(request) ?? {}) as Record<string, unknown>;
    const changes = SmsSwitchChange.safeParse({
      ...(isForm(request) ? (fromForm(fields) as object) : fields),
      ...(scope !== undefined && { phone: scope }),
    });
    if (!changes.success) return reply.code(400).send({ message: z.prettifyError(changes.error) });
    const { phone, balanceKopecks, ...values } = changes.data;
    const target = phone === undefined ? null : (phoneOf(phone) ?? phone);
    if (reset) switches.reset(target ?? '');
    else switches.set(target, values);
    if (typeof balanceKopecks === 'number') store.setBalance(balanceKopecks);
    return isForm(request) ? reply.redirect('/sms', 303) : switchState();
  });

  app.setErrorHandler((error, request, reply) => {
    const statusCode = error instanceof UnreadableBody ? 400 : ((error as { statusCode?: number }).statusCode ?? 500);
    if (statusCode >= 500) request.log.error(error, 'SMS page failed');
    return reply.code(statusCode).send({ message: statusCode < 500 ? (error as Error).message : 'Internal error' });
  });
}

function phoneIn(sent: unknown): string | null {
  const { recipients } = (sent ?? {}) as { recipients?: unknown };
  return Array.isArray(recipients) ? phoneOf(String(recipients[0])) : null;
}

/** The token is in a header, or in the address as in older integrations. */
function checkToken(request: FastifyRequest): void {
  const [, bearer] = /^Bearer\s+(.+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const { token: inAddress } = request.query as { token?: unknown };
  const token = bearer ?? inAddress;
  if (token === undefined) throw new SmsRefusal(103);
  if (token !== demo.smsToken) throw new SmsRefusal(301);
}
