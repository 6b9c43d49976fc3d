import { createECDH, randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { readBody, UnreadableBody } from '../body.ts';
import { html } from '../html.ts';
import { clockTime, sandboxHeader, sendPage } from '../layout.ts';
import type { Part, PartContext } from '../part.ts';
import { decryptPush, PushRefusal, publicKeyOf, senderOf } from './decrypt.ts';

interface BrowserRow {
  id: string;
  private_key: string;
  auth: string;
  /** The sender to which the browser bound its subscription; null until the first message. */
  sender: string | null;
  /** The status of the next answers, set by a test; 0 when messages are accepted. */
  fault: number;
}

interface MessageRow {
  browser: string;
  text: string;
  ttl: number;
  urgency: string;
  created_at: number;
}

const Fault = z.object({ status: z.int().check(z.nonnegative(), z.maximum(599)) });
const longestBody = 4096;

/** A push service with its browsers: a test or a page gets a subscription here, and reads what arrived for it. */
export function createPushPart({ db, clock, origin }: PartContext): Part {
  db.schema(`
    CREATE TABLE IF NOT EXISTS push_browsers (
      id TEXT PRIMARY KEY, private_key TEXT NOT NULL, auth TEXT NOT NULL, sender TEXT, fault INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS push_messages (
      browser TEXT NOT NULL, text TEXT NOT NULL, ttl INTEGER NOT NULL, urgency TEXT NOT NULL, created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS push_messages_browser ON push_messages (browser);
  `);
  const find = (id: string) => db.get<BrowserRow>('SELECT * FROM push_browsers WHERE id = ?', id);
  const messagesOf = (id: string) =>
    db.all<MessageRow>('SELECT * FROM push_messages WHERE browser = ? ORDER BY rowid', id);

  function routes(app: FastifyInstance): void {
    app.setErrorHandler((error, request, reply) => {
      if (error instanceof PushRefusal) return reply.code(error.status).send({ message: error.message });
      if (error instanceof UnreadableBody) return reply.code(400).send({ message: error.message });
      const { statusCode = 500, message } = error as { statusCode?: number; message?: string };
      if (statusCode >= 500) request.log.error(error, 'push request failed');
      return reply.code(statusCode).send({ message: statusCode < 500 ? message : 'Internal error' });
    });

    /** What `pushManager.subscribe()` of a browser returns. */
    app.post('/subscriptions', (request) => {
      const curve = createECDH('prime256v1');
      curve.generateKeys();
      const [id, auth] = [randomBytes(12).toString('hex'), randomBytes(16).toString('base64url')];
      const privateKey = curve.getPrivateKey('base64url');
      db.run('INSERT INTO push_browsers VALUES (?, ?, ?, NULL, 0)', id, privateKey, auth);
      const keys = { p256dh: publicKeyOf(privateKey), auth };
      return { endpoint: `${origin(request)}/push/send/${id}`, expirationTime: null, keys };
    });

    // Messages are bytes, unlike the bodies of the other parts.
    app.register(async (api) => {
      api.removeAllContentTypeParsers();
      api.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      api.post<{ Params: { id: string } }>('/send/:id', (request, reply) => {
        const browser = find(request.params.id);
        if (!browser) throw new PushRefusal(404, 'no such subscription');
        if (browser.fault > 0) throw new PushRefusal(browser.fault, 'refused, as switched');
        const { ttl, urgency = 'normal', authorization } = request.headers;
        if (!/^\d+$/.test(String(ttl))) throw new PushRefusal(400, 'TTL is required');
        if (request.headers['content-encoding'] !== 'aes128gcm') throw new PushRefusal(400, 'only aes128gcm is read');
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        if (body.length > longestBody) throw new PushRefusal(413, 'the message is too large');
        const sender = senderOf(authorization, origin(request), Date.now());
        if (browser.sender !== null && browser.sender !== sender) throw new PushRefusal(403, 'another sender');
        const text = decryptPush(body, { privateKey: browser.private_key, auth: browser.auth });
        db.run('UPDATE push_browsers SET sender = ? WHERE id = ?', sender, browser.id);
        const values = [browser.id, text, Number(ttl), String(urgency), clock.now()] as const;
        db.run('INSERT INTO push_messages VALUES (?, ?, ?, ?, ?)', ...values);
        return reply
          .code(201)
          .header('ttl', String(ttl))
          .header('location', `/push/m/${randomBytes(8).toString('hex')}`)
          .send();
      });
    });

    app.get<{ Params: { id: string } }>('/subscriptions/:id/messages', ({ params }) => ({
      messages: messagesOf(params.id).map(({ text, ttl, urgency }) => ({ message: JSON.parse(text), ttl, urgency })),
    }));
    /** Makes later messages of one browser fail with this status; 0 ends it. */
    app.post<{ Params: { id: string } }>('/subscriptions/:id/fault', (request, reply) => {
      const fault = Fault.safeParse(readBody(request));
      if (!fault.success) return reply.code(400).send({ message: z.prettifyError(fault.error) });
      db.run('UPDATE push_browsers SET fault = ? WHERE id = ?', fault.data.status, request.params.id);
      return fault.data;
    });

    app.get('/', (_request, reply) => {
      const rows = db.all<MessageRow>('SELECT * FROM push_messages ORDER BY rowid DESC LIMIT 200');
      const items = rows.map(({ text, created_at }) => {
        const { notification } = JSON.parse(text) as { notification: { title: string; body: string } };
        return html`<li class="card"><div class="row spread"><strong>${notification.title}</strong>
<span class="small">${clockTime(created_at)}</span></div><p>${notification.body}</p></li>`;
      });
      const list =
        items.length > 0 ? html`<ul class="list">${items}</ul>` : html`<p class="empty">No messages yet.</p>`;
      const body = html`${sandboxHeader('push')}<main><h1>Push</h1>${list}</main>`;
      return sendPage(reply, { title: 'Sandbox · Push', kind: 'operator', body });
    });
  }

  return { routes, stop: async () => {} };
}
