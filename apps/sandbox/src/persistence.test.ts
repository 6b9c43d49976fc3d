import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { demo } from './demo.ts';
import { eventually, startBench, startReceiver } from './testing/bench.ts';

test('after a restart the bank has its invoices, key, switches and pending webhooks', async () => {
  const bench = await startBench();
  const receiver = await startReceiver();
  receiver.answers = [500];
  await bench.call('POST', '/bank/switches', { cancelMs: 5000 });
  const { body } = await bench.merchant('POST', '/invoice/create', {
    amount: 100_00,
    webHookUrl: receiver.url,
    saveCardData: { saveCard: true, walletId: 'w' },
  });
  await bench.call('POST', `/bank/invoices/${body.invoiceId}/pay`);
  await eventually(async () => {
    const { webhooks } = (await bench.call('GET', `/bank/invoices/${body.invoiceId}`)).body;
    expect(webhooks).toMatchObject([{ attempts: 1, state: 'pending' }, { state: 'delivered' }]);
  });
  await bench.merchant('POST', '/invoice/cancel', { invoiceId: body.invoiceId, amount: 40_00, extRef: 'r' });
  const status = () => bench.merchant('GET', `/invoice/status?invoiceId=${body.invoiceId}`);
  const before = { status: await status(), key: await bench.merchant('GET', '/pubkey') };
  await bench.restart();
  expect((await status()).body).toEqual(before.status.body);
  expect((await bench.merchant('GET', '/pubkey')).body).toEqual(before.key.body);
  expect((await bench.merchant('GET', '/wallet?walletId=w')).body.wallet).toHaveLength(1);
  expect((await bench.call('GET', '/bank/switches')).body.everyone).toEqual({ cancelMs: 5000 });
  bench.clock.advance(5000);
  await eventually(() => expect(receiver.received).toHaveLength(3));
  expect((await status()).body).toMatchObject({ finalAmount: 60_00, cancelList: [{ extRef: 'r', status: 'success' }] });
  bench.clock.advance(60_000);
  await eventually(() => expect(receiver.received).toHaveLength(4));
  expect(receiver.received[3]?.body).toBe(receiver.received[0]?.body);
});

test('after a restart phones and chats are unchanged, and updates still wait', async () => {
  const bench = await startBench();
  await bench.call('POST', `/sms/message/send.json?token=${demo.smsToken}`, {
    recipients: ['380671234567'],
    sms: { sender: 'FPay', text: 'Код 1' },
  });
  await bench.call('POST', '/telegram/users/42/messages', { text: '/start a', first_name: 'Ada' });
  await bench.restart();
  expect((await bench.call('GET', '/sms/messages')).body.messages).toHaveLength(1);
  const { result } = (await bench.call('POST', `/telegram/bot${demo.botToken}/getUpdates`)).body;
  expect(result).toMatchObject([{ message: { text: '/start a', from: { first_name: 'Ada' } } }]);
});

/** The real process, as `npm start` runs it. */
async function startProcess(dataDir: string): Promise<{ process: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...process.env, SANDBOX_PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code}`)));
    child.stdout?.on('data', (chunk) => {
      const [, address] = /sandbox: (http:\S+)/.exec(String(chunk)) ?? [];
      if (address) resolve(address);
    });
  });
  return { process: child, url };
}
const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));

test('a killed process loses nothing, and SIGTERM ends it cleanly while a call is left open', {
  timeout: 30_000,
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fpay-sandbox-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const first = await startProcess(dataDir);
  expect(new URL(first.url).hostname).toBe('127.0.0.1');
  const headers = { 'x-token': demo.bankToken };
  const created = await fetch(`${first.url}/bank/api/merchant/invoice/create`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ amount: 100_00 }),
  });
  const { invoiceId, pageUrl } = (await created.json()) as { invoiceId: string; pageUrl: string };
  expect(pageUrl).toBe(`${first.url}/bank/pay/${invoiceId}`);
  await fetch(`${first.url}/bank/invoices/${invoiceId}/pay`, { method: 'POST' });
  first.process.kill('SIGKILL');
  await ended(first.process);

  const second = await startProcess(dataDir);
  const status = await fetch(`${second.url}/bank/api/merchant/invoice/status?invoiceId=${invoiceId}`, { headers });
  expect(await status.json()).toMatchObject({ status: 'success', finalAmount: 100_00 });
  const poll = fetch(`${second.url}/telegram/bot${demo.botToken}/getUpdates?timeout=50`).then((r) => r.json());
  await new Promise((resolve) => setTimeout(resolve, 100));
  const exit = ended(second.process);
  second.process.kill('SIGTERM');
  expect(await exit).toBe(0);
  expect(await poll).toEqual({ ok: true, result: [] });
});
