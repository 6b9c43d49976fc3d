import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { isForm, readBody, UnreadableBody } from '../body.ts';
import { demo } from '../demo.ts';
import { sendHtml, sendPage } from '../layout.ts';
import { fromForm } from '../switches.ts';
import { chatPage, messageLog, peoplePage, whoPage } from './chat-page.ts';
import { type People, Profile } from './people.ts';
import type { TelegramStore } from './store.ts';
import { TelegramSwitchChange, type TelegramSwitches, telegramDefaults } from './switches.ts';

/** Telegram's ids have at most 52 bits. */
const UserId = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,15}$/)),
  z.pipe(z.transform(Number), z.number().check(z.maximum(2 ** 52))),
);
const Written = z.extend(Profile, { text: z.string().check(z.minLength(1), z.maxLength(4096)) });
const Pressed = z.object({
  message_id: z.pipe(z.transform(Number), z.int()),
  data: z.string().check(z.minLength(1), z.maxLength(64)),
});
const Who = z.object({
  user: UserId,
  name: z._default(z.string().check(z.maxLength(64)), ''),
  language: z._default(z.string().check(z.regex(/^([a-z]{2})?$/)), ''),
  start: z.optional(StartPayload()),
});
/** A deep link allows at most 64 of these characters. */
function StartPayload() {
  return z.string().check(z.regex(/^[A-Za-z0-9_-]{0,64}$/));
}

class BadInput extends Error {}

interface Parts {
  people: People;
  store: TelegramStore;
  switches: TelegramSwitches;
}

/** The person's side of the chat below `/telegram`: pages, and the same actions by HTTP. */
export function peopleRoutes(app: FastifyInstance, { people, store, switches }: Parts): void {
  const chatOf = (id: number, start: string | null) => {
    const person = people.findOrCreate(id);
    const commands = Object.entries(store.state().commands);
    const language = person.user.language_code ?? '';
    const own =
      commands.find(([key]) => key.endsWith(`,"${language}"]`)) ?? commands.find(([key]) => key.endsWith(',""]'));
    return {
      person,
      messages: store.messages(id, 200),
      lastPress: store.lastPress(id),
      commands: own?.[1] ?? [],
      start,
    };
  };

  app.get('/', (_request, reply) =>
    sendPage(reply, { title: 'Sandbox · Telegram', kind: 'operator', body: peoplePage(store.people(), switches) }),
  );
  app.get<{ Querystring: Record<string, unknown> }>('/chat', ({ query }, reply) => {
    const start = query.start === undefined ? null : read(StartPayload(), query.start);
    if (query.user === undefined) {
      const body = whoPage(store.people(), start ?? '');
      return sendPage(reply, { title: 'Telegram', kind: 'operator', body });
    }
    const view = chatOf(read(UserId, query.user), start);
    if (query.part === 'messages') return sendHtml(reply, messageLog(view));
    return sendPage(reply, { title: `Telegram · ${demo.botName}`, kind: 'chat', body: chatPage(view) });
  });
  app.post('/chat', (request, reply) => {
    const { user, name, language, start } = read(Who, readBody(request));
    people.findOrCreate(user, { first_name: name || undefined, language_code: language || undefined });
    return reply.redirect(`/telegram/chat?user=${user}${start === undefined ? '' : `&start=${start}`}`, 303);
  });
  // The equivalent of https://t.me/<bot>?start=….
  app.get<{ Querystring: Record<string, unknown> }>(`/${demo.botUsername}`, ({ query }, reply) => {
    const start = read(StartPayload(), query.start ?? '');
    return reply.redirect(`/telegram/chat?start=${start}`, 302);
  });

  const answer = (request: FastifyRequest, reply: FastifyReply, id: number, result: object) =>
    isForm(request) ? reply.redirect(`/telegram/chat?user=${id}`, 303) : result;
  type User = { Params: { id: string } };

  app.get<User>('/users/:id/messages', ({ params }) => {
    const id = read(UserId, params.id);
    return { messages: store.messages(id, 1000), last_answer: store.lastPress(id)?.answer ?? null };
  });
  app.post<User>('/users/:id/messages', (request, reply) => {
    const id = read(UserId, request.params.id);
    const { text, ...profile } = read(Written, readBody(request));
    return answer(request, reply, id, { message: people.write(id, text, profile) });
  });
  app.post<User>('/users/:id/press', (request, reply) => {
    const id = read(UserId, request.params.id);
    const { message_id, data } = read(Pressed, readBody(request));
    const press = people.press(id, message_id, data);
    if (!press && !isForm(request)) return reply.code(404).send({ message: 'no such button' });
    return answer(request, reply, id, { callback_query: press });
  });
  app.post<User>('/users/:id', (request, reply) => {
    const id = read(UserId, request.params.id);
    return answer(request, reply, id, people.findOrCreate(id, read(Profile, readBody(request) ?? {})));
  });
  app.post<User>('/users/:id/block', (request, reply) => {
    const id = read(UserId, request.params.id);
    return answer(request, reply, id, people.block(id));
  });
  app.post<User>('/users/:id/unblock', (request, reply) => {
    const id = read(UserId, request.params.id);
    return answer(request, reply, id, people.unblock(id));
  });

  const switchState = () => ({
    defaults: telegramDefaults,
    everyone: switches.own(null),
    users: Object.fromEntries(switches.scopes().map((scope) => [scope, switches.own(scope)])),
  });
  app.get('/switches', switchState);
  app.delete('/switches', () => {
    switches.reset();
    return switchState();
  });
  app.post('/switches', (request, reply) => {
    const { reset, ...fields } = (readBody(request) ?? {}) as Record<string, unknown>;
    const { user = null, ...values } = read(TelegramSwitchChange, isForm(request) ? fromForm(fields) : fields);
    if (reset) switches.reset(user ?? '');
    else switches.set(user, values);
    return isForm(request) ? reply.redirect('/telegram', 303) : switchState();
  });

  app.setErrorHandler((error, request, reply) => {
    const isBadInput = error instanceof BadInput || error instanceof UnreadableBody;
    const statusCode = isBadInput ? 400 : ((error as { statusCode?: number }).statusCode ?? 500);
    if (statusCode >= 500) request.log.error(error, 'Telegram page failed');
    return reply.code(statusCode).send({ message: statusCode < 500 ? (error as Error).message : 'Internal error' });
  });
}

function read<Schema extends z.ZodMiniType>(schema: Schema, sent: unknown): z.infer<Schema> {
  const result = schema.safeParse(sent);
  if (!result.success) throw new BadInput(z.prettifyError(result.error));
  return result.data;
}
