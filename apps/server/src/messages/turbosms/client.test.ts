import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../../../sandbox/src/app.ts';
import { demo } from '../../../../sandbox/src/demo.ts';
import { createTurboSms, type TurboSmsSettings } from './client.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'fpay-sms-'));
let sandbox: FastifyInstance;
let url: string;
const lines: string[] = [];
const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
beforeAll(async () => {
  sandbox = await createSandbox({ dataDir });
  url = `${await sandbox.listen({ host: '127.0.0.1', port: 0 })}/sms`;
});
afterAll(async () => {
  await sandbox.close();
  rmSync(dataDir, { recursive: true, force: true });
});
beforeEach(() => {
  lines.length = 0;
});

const sender = (given: Partial<TurboSmsSettings> = {}) =>
  createTurboSms({ url, token: demo.smsToken, sender: 'FPay', answerWithinMs: 5_000, ...given }, log);
const misbehave = (change: object) => sandbox.inject({ method: 'POST', url: '/sms/switches', payload: change });
const received = async (phone: string) =>
  (await sandbox.inject({ url: `/sms/messages?phone=${encodeURIComponent(phone)}` })).json().messages;

test('a message is sent under our sender name, to the number without its plus', async () => {
  expect(await sender().send('+380671112233', 'Код 123456')).toEqual({ kind: 'sent', id: expect.any(String) });
  expect(await received('+380671112233')).toMatchObject([
    { phone: '380671112233', sender: 'FPay', text: 'Код 123456' },
  ]);
});

test.each([
  [305, { kind: 'bad_number', code: 305 }],
  [404, { kind: 'bad_number', code: 404 }],
  [406, { kind: 'bad_number', code: 406 }],
  [203, { kind: 'failed', code: 203, canRetry: false }],
  [401, { kind: 'failed', code: 401, canRetry: false }],
  [413, { kind: 'failed', code: 413, canRetry: false }],
  [503, { kind: 'failed', code: 503, canRetry: true }],
  [999, { kind: 'failed', code: 999, canRetry: true }],
])('the refusal %i means %j', async (code, outcome) => {
  const phone = `+380670000${code}`;
  await misbehave({ phone, send: `refused:${code}` });
  expect(await sender().send(phone, 'Text')).toEqual(outcome);
});

test.each([
  ['Delivered', 'delivered', 1],
  ['Undelivered', 'failed', 2],
  ['Sent', undefined, 3],
])('a message that is %s counts as %s', async (delivery, expected, digit) => {
  const phone = `+38067119000${digit}`;
  await misbehave({ phone, delivery });
  const outcome = await sender().send(phone, 'Text');
  const id = outcome.kind === 'sent' ? outcome.id : '';
  expect((await sender().deliveries([id, 'none'])).get(id)).toBe(expected);
});

test('a wrong token or sender must be fixed by the operator, and alerts', async () => {
  expect(await sender({ token: 'nonsense' }).send('+380671112234', 'Text')).toMatchObject({
    kind: 'failed',
    canRetry: false,
  });
  expect(await sender({ sender: 'Stranger' }).send('+380671112234', 'Text')).toMatchObject({ code: 400 });
  expect(lines.filter((line) => line.includes('"alert":"sms_operator"'))).toHaveLength(2);
});

test('after a timeout or an invalid answer it is unknown whether the message was sent', async () => {
  await misbehave({ phone: '+380671112235', send: 'no-answer-done', hangMs: 2_000 });
  expect(await sender({ answerWithinMs: 300 }).send('+380671112235', 'Once')).toEqual({ kind: 'unknown' });
  expect(await received('+380671112235')).toHaveLength(1);
  await misbehave({ phone: '+380671112236', send: 'garbage' });
  expect(await sender().send('+380671112236', 'Text')).toEqual({ kind: 'unknown' });
});

test('when the address does not accept connections nothing was sent, and a retry is allowed', async () => {
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  const outcome = await sender({ url: `http://127.0.0.1:${port}` }).send('+380671112237', 'Text');
  expect(outcome).toEqual({ kind: 'failed', code: null, canRetry: true });
});

test('an item refused within an accepted request is a refusal', async () => {
  const liar = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    const item = { phone: '1', response_code: 404, message_id: null, response_status: 'NOT_ALLOWED_NUMBER_STOPLIST' };
    response.end(JSON.stringify({ response_code: 803, response_status: '', response_result: [item] }));
  });
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void liar.close());
  const { port } = liar.address() as AddressInfo;
  const outcome = await sender({ url: `http://127.0.0.1:${port}` }).send('+380671112238', 'Text');
  expect(outcome).toEqual({ kind: 'bad_number', code: 404 });
});

test('neither texts nor tokens nor whole numbers are logged', async () => {
  await misbehave({ phone: '+380671112239', send: 'refused:305' });
  await sender().send('+380671112239', 'Secret 654321');
  await sender({ token: 'nonsense-token' }).send('+380671112239', 'Secret 654321');
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join('')).not.toMatch(/654321|Secret|nonsense-token|671112239/);
});
