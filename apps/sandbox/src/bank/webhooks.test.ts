import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Bench, eventually, type Receiver, shortDelay, startBench, startReceiver } from '../testing/bench.ts';

async function held(bench: Bench, receiver: Receiver, reference = 'op-1'): Promise<string> {
  const { body } = await bench.merchant('POST', '/invoice/create', {
    amount: 250_00,
    paymentType: 'hold',
    webHookUrl: receiver.url,
    merchantPaymInfo: { reference },
  });
  await bench.call('POST', `/bank/invoices/${body.invoiceId}/pay`);
  return body.invoiceId;
}
const arrived = (receiver: Receiver, count: number) => eventually(() => expect(receiver.received).toHaveLength(count));
const statuses = (receiver: Receiver) => receiver.received.map(({ json }) => json.status);
/** The bank has recorded the result of this attempt. */
const tried = (bench: Bench, id: string, attempts: number, state = 'pending') =>
  eventually(async () => {
    const { webhooks } = (await bench.call('GET', `/bank/invoices/${id}`)).body;
    expect(webhooks[0]).toMatchObject({ attempts, state });
  });

async function isSigned(bench: Bench, { headers, body }: Receiver['received'][number]): Promise<boolean> {
  const { key } = (await bench.merchant('GET', '/pubkey')).body;
  const publicKey = createPublicKey(Buffer.from(key, 'base64'));
  expect(publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
  return verify('sha256', Buffer.from(body), publicKey, Buffer.from(String(headers['x-sign']), 'base64'));
}

test('each change is sent with the body of a status call, signed over its exact bytes', async () => {
  const bench = await startBench();
  const receiver = await startReceiver();
  const id = await held(bench, receiver);
  await arrived(receiver, 1);
  const [hook] = receiver.received;
  if (!hook) throw new Error('no webhook');
  expect(hook.json).toEqual((await bench.merchant('GET', `/invoice/status?invoiceId=${id}`)).body);
  expect(await isSigned(bench, hook)).toBe(true);
  expect(await isSigned(bench, { ...hook, body: hook.body.replace('25000', '25001') })).toBe(false);
  await bench.merchant('POST', '/invoice/finalize', { invoiceId: id, amount: 200_00 });
  await arrived(receiver, 2);
  await bench.merchant('POST', '/invoice/cancel', { invoiceId: id, amount: 50_00, extRef: 'r1' });
  await shortDelay();
  expect(receiver.received).toHaveLength(2);
  bench.clock.advance(1000);
  await arrived(receiver, 3);
  expect(receiver.received.map(({ json }) => [json.status, json.finalAmount])).toEqual([
    ['hold', undefined],
    ['success', 200_00],
    ['success', 150_00],
  ]);
});

test('a saved card has its own webhooks: first new, then created', async () => {
  const bench = await startBench();
  const receiver = await startReceiver();
  const request = { amount: 1_00, webHookUrl: receiver.url, saveCardData: { saveCard: true } };
  const { body } = await bench.merchant('POST', '/invoice/create', request);
  await bench.call('POST', `/bank/invoices/${body.invoiceId}/pay`);
  await arrived(receiver, 2);
  expect(receiver.received.map(({ json }) => [json.status, json.walletData.status])).toEqual([
    ['success', 'new'],
    ['success', 'created'],
  ]);
});

test('an expired invoice has no webhook', async () => {
  const bench = await startBench();
  const receiver = await startReceiver();
  const { body } = await bench.merchant('POST', '/invoice/create', {
    amount: 1_00,
    validity: 900,
    webHookUrl: receiver.url,
  });
  bench.clock.advance(900_000);
  const status = await bench.merchant('GET', `/invoice/status?invoiceId=${body.invoiceId}`);
  expect(status.body.status).toBe('expired');
  await shortDelay();
  expect(receiver.received).toEqual([]);
});

test('a webhook without a 200 is repeated after 60 and after 600 seconds, and then no more', async () => {
  const bench = await startBench();
  const receiver = await startReceiver();
  receiver.answers = [500, 204, 302, 500];
  const id = await held(bench, receiver);
  await tried(bench, id, 1);
  bench.clock.advance(59_000);
  await shortDelay();
  expect(receiver.received).toHaveLength(1);
  bench.clock.advance(1000);
  await tried(bench, id, 2);
  bench.clock.advance(599_000);
  await shortDelay();
  expect(receiver.received).toHaveLength(2);
  bench.clock.advance(1000);
  await tried(bench, id, 3, 'given_up');
  bench.clock.advance(86_400_000);
  await shortDelay();
  expect(receiver.received).toHaveLength(3);
});

test('a second attempt that is answered with 200 is the last', async () => {
  const bench = await startBench();
  const receiver = await startReceiver();
  receiver.answers = [500];
  const id = await held(bench, receiver);
  await tried(bench, id, 1);
  bench.clock.advance(60_000);
  await tried(bench, id, 2, 'delivered');
  bench.clock.advance(3_600_000);
  await shortDelay();
  expect(receiver.received).toHaveLength(2);
  expect(receiver.received[0]?.body).toBe(receiver.received[1]?.body);
});

test('the time scale shortens the delays between attempts, also of pending ones', async () => {
  const bench = await startBench();
  const receiver = await startReceiver();
  receiver.answers = [500];
  const id = await held(bench, receiver);
  await tried(bench, id, 1);
  await bench.call('POST', '/bank/switches', { timeScale: 60 });
  bench.clock.advance(999);
  await shortDelay();
  expect(receiver.received).toHaveLength(1);
  bench.clock.advance(1);
  bench.clock.advance(250);
  await arrived(receiver, 2);
});

test('slow webhooks arrive later', async () => {
  const bench = await startBench();
  const receiver = await startReceiver();
  await bench.call('POST', '/bank/switches', { webhookDelayMs: 5000 });
  await held(bench, receiver);
  bench.clock.advance(4000);
  await shortDelay();
  expect(receiver.received).toEqual([]);
  bench.clock.advance(1000);
  await arrived(receiver, 1);
});

test('failing webhooks lose their first attempts', async () => {
  const bench = await startBench();
  const receiver = await startReceiver();
  await bench.call('POST', '/bank/switches', { webhooksLost: 1 });
  const id = await held(bench, receiver);
  await tried(bench, id, 1);
  expect(receiver.received).toEqual([]);
  bench.clock.advance(60_000);
  await arrived(receiver, 1);
});

test('a silent bank sends no webhook, for one reference or for all', async () => {
  const bench = await startBench();
  const receiver = await startReceiver();
  await bench.call('POST', '/bank/switches', { reference: 'op-1', webhooksSilent: true });
  const id = await held(bench, receiver, 'op-1');
  await held(bench, receiver, 'op-2');
  await arrived(receiver, 1);
  await shortDelay();
  expect(receiver.received.map(({ json }) => json.reference)).toEqual(['op-2']);
  expect((await bench.call('GET', `/bank/invoices/${id}`)).body.webhooks).toMatchObject([{ state: 'withheld' }]);
});

test('duplicate webhooks arrive twice with the same bytes', async () => {
  const bench = await startBench();
  const receiver = await startReceiver();
  await bench.call('POST', '/bank/switches', { webhooksDuplicate: true });
  await held(bench, receiver);
  await arrived(receiver, 2);
  expect(receiver.received[0]?.body).toBe(receiver.received[1]?.body);
});

test('reordered webhooks: the newer one overtakes the older one', async () => {
  const bench = await startBench();
  const receiver = await startReceiver();
  await bench.call('POST', '/bank/switches', { webhooksReordered: true });
  const id = await held(bench, receiver);
  await shortDelay();
  bench.clock.advance(250);
  await bench.merchant('POST', '/invoice/finalize', { invoiceId: id });
  await arrived(receiver, 1);
  bench.clock.advance(1000);
  await arrived(receiver, 2);
  expect(statuses(receiver)).toEqual(['success', 'hold']);
  const lonely = await held(bench, receiver, 'op-2');
  bench.clock.advance(3000);
  await tried(bench, lonely, 1, 'delivered');
});

test('after a rotation of the key, webhooks are signed with the new key only', async () => {
  const bench = await startBench();
  const receiver = await startReceiver();
  await held(bench, receiver, 'before');
  await arrived(receiver, 1);
  await bench.call('POST', '/bank/switches', { rotateKey: true });
  await held(bench, receiver, 'after');
  await arrived(receiver, 2);
  const [before, after] = receiver.received;
  if (!before || !after) throw new Error('no webhooks');
  expect(await isSigned(bench, before)).toBe(false);
  expect(await isSigned(bench, after)).toBe(true);
});

test('webhooks of one invoice keep their order unless reordering is switched on', async () => {
  const bench = await startBench();
  const receiver = await startReceiver();
  await bench.call('POST', '/bank/switches', { processingMs: 500, cancelMs: 0 });
  const id = await held(bench, receiver);
  bench.clock.advance(500);
  await bench.merchant('POST', '/invoice/finalize', { invoiceId: id });
  await bench.merchant('POST', '/invoice/cancel', { invoiceId: id });
  await arrived(receiver, 4);
  expect(statuses(receiver)).toEqual(['processing', 'hold', 'success', 'reversed']);
});
