import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, onTestFinished, vi } from 'vitest';
import { createSandbox, type SandboxOptions } from '../app.ts';
import { createManualClock, type ManualClock } from '../clock.ts';
import { demo } from '../demo.ts';

/** A sandbox for one test: a new folder, a clock that moves only when the test advances it, a free port. */
export interface Bench {
  app: FastifyInstance;
  clock: ManualClock;
  dataDir: string;
  url: string;
  /** A call to the merchant API with the right token. */
  merchant<Answer = Answered>(method: string, path: string, body?: object): Promise<Reply<Answer>>;
  /** Any call with a JSON body. */
  call<Answer = Answered>(method: string, path: string, body?: object | string): Promise<Reply<Answer>>;
  /** Restarts on the same folder with the same clock. */
  restart(): Promise<void>;
}

// Answers are checked by the tests that read them.
// biome-ignore lint/suspicious/noExplicitAny: tests compare whole values
export type Answered = any;
export interface Reply<Answer> {
  status: number;
  body: Answer;
  text: string;
  headers: Record<string, unknown>;
}

export async function startBench(options: Pick<SandboxOptions, 'onRoute'> = {}): Promise<Bench> {
  const { bench, stop } = await open(options);
  onTestFinished(stop);
  return bench;
}

/** One sandbox for a table of refusals, because a refused call changes nothing. */
export function sharedBench(): () => Promise<Bench> {
  let opened: ReturnType<typeof open> | null = null;
  afterAll(async () => (await opened)?.stop());
  return async () => {
    opened ??= open();
    return (await opened).bench;
  };
}

async function open(options: Pick<SandboxOptions, 'onRoute'> = {}): Promise<{ bench: Bench; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fpay-sandbox-'));
  const clock = createManualClock();
  const listen = async () => {
    const app = await createSandbox({ dataDir, clock, ...options });
    return { app, url: await app.listen({ host: '127.0.0.1', port: 0 }) };
  };
  const bench = {
    ...(await listen()),
    clock,
    dataDir,
    merchant: (method, path, body) =>
      send(bench.app, method, `/bank/api/merchant${path}`, body, { 'x-token': demo.bankToken }),
    call: (method, path, body) => send(bench.app, method, path, body, {}),
    async restart() {
      await bench.app.close();
      Object.assign(bench, await listen());
    },
  } as Bench;
  const stop = async () => {
    await bench.app.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { bench, stop };
}

async function send<Answer>(
  app: FastifyInstance,
  method: string,
  url: string,
  body: object | string | undefined,
  headers: Record<string, string>,
): Promise<Reply<Answer>> {
  const response = await app.inject({
    method: method as 'GET',
    url,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(response.body);
  } catch {
    // Pages are not JSON.
  }
  return { status: response.statusCode, body: parsed as Answer, text: response.body, headers: response.headers };
}

/** Waits until the assertion passes, also on a busy machine. */
export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: 15_000, interval: 5 });
}

/** Waits long enough for something that must not happen. */
export function shortDelay(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 40));
}

/** A merchant server that records what it receives and gives the configured answers. */
export interface Receiver {
  url: string;
  received: { headers: IncomingHttpHeaders; body: string; json: Answered }[];
  /** Status codes of the next answers; 200 afterwards. */
  answers: number[];
  /** The body of every answer. */
  reply: string;
}

export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = { url: '', received: [], answers: [], reply: '' };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    receiver.received.push({ headers: request.headers, body, json: JSON.parse(body) });
    response.statusCode = receiver.answers.shift() ?? 200;
    response.setHeader('content-type', 'application/json');
    response.end(receiver.reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}
