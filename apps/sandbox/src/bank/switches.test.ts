import { expect, test, vi } from 'vitest';
import { demo } from '../demo.ts';
import { type Bench, eventually, sharedBench, startBench } from '../testing/bench.ts';

async function paidHold(bench: Bench, reference = 'op-1'): Promise<string> {
  const { body } = await bench.merchant('POST', '/invoice/create', {
    amount: 250_00,
    paymentType: 'hold',
    merchantPaymInfo: { reference },
  });
  await bench.call('POST', `/bank/invoices/${body.invoiceId}/pay`);
  return body.invoiceId;
}
const status = async (bench: Bench, id: string) =>
  (await bench.merchant('GET', `/invoice/status?invoiceId=${id}`)).body.status;
const set = (bench: Bench, switches: object) => bench.call('POST', '/bank/switches', switches);

/** A call over a real connection, which the bank may leave open. */
function overTheWire(bench: Bench, path: string, body: object): Promise<Response> {
  return fetch(`${bench.url}/bank/api/merchant${path}`, {
    method: 'POST',
    headers: { 'x-token': demo.bankToken, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const refusing = sharedBench();

test('a failing create answers 500 and either creates the invoice or does not', async () => {
  const bench = await startBench();
  const request = { amount: 1_00 };
  await set(bench, { create: 'error500' });
  expect(await bench.merchant('POST', '/invoice/create', request)).toMatchObject({
    status: 500,
    body: { errCode: 'INTERNAL_ERROR' },
  });
  expect((await bench.call('GET', '/bank/invoices')).body.invoices).toHaveLength(0);
  await set(bench, { create: 'error500-done' });
  expect((await bench.merchant('POST', '/invoice/create', request)).status).toBe(500);
  expect((await bench.call('GET', '/bank/invoices')).body.invoices).toHaveLength(1);
});

test('a failing finalize refuses with the configured code for the configured number of calls', async () => {
  const bench = await startBench();
  const id = await paidHold(bench);
  await set(bench, { finalize: { kind: 'refused', code: '1077', times: 2 } });
  const finalize = () => bench.merchant('POST', '/invoice/finalize', { invoiceId: id });
  for (const _time of [1, 2]) {
    expect(await finalize()).toMatchObject({ status: 400, body: { errCode: '1077' } });
    expect(await status(bench, id)).toBe('hold');
  }
  expect((await finalize()).status).toBe(200);
  expect(await status(bench, id)).toBe('success');
});

test('a refusal comes with the HTTP status of its code', async () => {
  const bench = await startBench();
  const id = await paidHold(bench);
  await set(bench, { finalize: 'refused:TMR' });
  expect((await bench.merchant('POST', '/invoice/finalize', { invoiceId: id })).status).toBe(429);
});

test.each([
  ['no-answer', 'hold'],
  ['no-answer-done', 'success'],
])('a finalize without an answer (%s) leaves the invoice in %s', async (fault, expected) => {
  const bench = await startBench();
  const id = await paidHold(bench);
  await set(bench, { finalize: fault, hangMs: 30_000 });
  const outcome = vi.fn();
  const call = overTheWire(bench, '/invoice/finalize', { invoiceId: id, amount: 100_00 }).then(outcome, outcome);
  await eventually(async () => {
    const { calls } = (await bench.call('GET', '/bank/log.json')).body;
    expect(calls[0]).toMatchObject({ what: 'POST /api/merchant/invoice/finalize', status: null });
  });
  expect(await status(bench, id)).toBe(expected);
  expect(outcome).not.toHaveBeenCalled();
  bench.clock.advance(30_000);
  await call;
  expect(outcome).toHaveBeenCalledWith(expect.any(TypeError));
});

test('a sandbox that stops closes the connections that it leaves open', async () => {
  const bench = await startBench();
  const id = await paidHold(bench);
  await set(bench, { cancel: 'no-answer' });
  const call = overTheWire(bench, '/invoice/cancel', { invoiceId: id });
  const broken = expect(call).rejects.toThrow();
  await eventually(async () => {
    const { calls } = (await bench.call('GET', '/bank/log.json')).body;
    expect(calls[0].status).toBeNull();
  });
  await bench.restart();
  await broken;
});

test('a garbled status answers 200 with a body that is not JSON', async () => {
  const bench = await startBench();
  const id = await paidHold(bench);
  await set(bench, { status: 'garbage' });
  const answer = await bench.merchant('GET', `/invoice/status?invoiceId=${id}`);
  expect([answer.status, answer.body]).toEqual([200, null]);
  await set(bench, { status: null });
  expect(await status(bench, id)).toBe('hold');
});

test('a cancel can be accepted and fail afterwards, and the money stays', async () => {
  const bench = await startBench();
  const id = await paidHold(bench);
  await bench.merchant('POST', '/invoice/finalize', { invoiceId: id });
  await set(bench, { cancelEndsIn: 'failure' });
  const { body } = await bench.merchant('POST', '/invoice/cancel', { invoiceId: id, extRef: 'r1' });
  expect(body.status).toBe('processing');
  bench.clock.advance(1000);
  const after = (await bench.merchant('GET', `/invoice/status?invoiceId=${id}`)).body;
  expect(after).toMatchObject({
    status: 'success',
    finalAmount: 250_00,
    cancelList: [{ status: 'failure', extRef: 'r1' }],
  });
  await set(bench, { cancelEndsIn: null });
  await bench.merchant('POST', '/invoice/cancel', { invoiceId: id, extRef: 'r2' });
  bench.clock.advance(1000);
  expect(await status(bench, id)).toBe('reversed');
});

test('a payment refunded in part can have the status reversed', async () => {
  const bench = await startBench();
  const id = await paidHold(bench);
  await bench.merchant('POST', '/invoice/finalize', { invoiceId: id });
  await set(bench, { partlyReturnedAs: 'reversed' });
  await bench.merchant('POST', '/invoice/cancel', { invoiceId: id, amount: 50_00 });
  bench.clock.advance(1000);
  const after = (await bench.merchant('GET', `/invoice/status?invoiceId=${id}`)).body;
  expect(after).toMatchObject({ status: 'reversed', finalAmount: 200_00 });
});

test('a slow card bank and a slow capture are visible in progress', async () => {
  const bench = await startBench();
  await set(bench, { processingMs: 2000, finalizeMs: 3000 });
  const id = await paidHold(bench);
  expect(await status(bench, id)).toBe('processing');
  bench.clock.advance(2000);
  expect(await status(bench, id)).toBe('hold');
  await bench.merchant('POST', '/invoice/finalize', { invoiceId: id });
  expect(await status(bench, id)).toBe('hold');
  const twice = await bench.merchant('POST', '/invoice/finalize', { invoiceId: id });
  expect(twice.body.errCode).toBe('BAD_REQUEST');
  bench.clock.advance(3000);
  expect(await status(bench, id)).toBe('success');
});

test('the bank releases a hold after nine days', async () => {
  const bench = await startBench();
  const id = await paidHold(bench);
  bench.clock.advance(9 * 86_400_000 - 1000);
  expect(await status(bench, id)).toBe('hold');
  bench.clock.advance(1000);
  const lapsed = (await bench.merchant('GET', `/invoice/status?invoiceId=${id}`)).body;
  expect(lapsed).toMatchObject({ status: 'reversed', finalAmount: 0, modifiedDate: '2026-11-24T10:00:00Z' });
  expect(lapsed).not.toHaveProperty('cancelList');
  const late = await bench.merchant('POST', '/invoice/finalize', { invoiceId: id });
  expect(late.body.errCode).toBe('BAD_REQUEST');
});

test('holds can be aged: all of them or one, and only holds', async () => {
  const bench = await startBench();
  const [one, other] = [await paidHold(bench, 'op-1'), await paidHold(bench, 'op-2')];
  await set(bench, { reference: 'op-1', ageDays: 9 });
  expect([await status(bench, one), await status(bench, other)]).toEqual(['reversed', 'hold']);
  const { body } = await bench.merchant('POST', '/invoice/create', { amount: 1_00 });
  await set(bench, { ageDays: 9 });
  expect([await status(bench, other), await status(bench, body.invoiceId)]).toEqual(['reversed', 'created']);
});

test('an unpaid invoice expires when its validity ends, faster with a time scale', async () => {
  const bench = await startBench();
  const { body } = await bench.merchant('POST', '/invoice/create', { amount: 1_00, validity: 900 });
  bench.clock.advance(899_000);
  expect(await status(bench, body.invoiceId)).toBe('created');
  bench.clock.advance(1000);
  expect(await status(bench, body.invoiceId)).toBe('expired');
  await set(bench, { timeScale: 900 });
  const quick = await bench.merchant('POST', '/invoice/create', { amount: 1_00, validity: 900 });
  bench.clock.advance(1000);
  expect(await status(bench, quick.body.invoiceId)).toBe('expired');
});

test('a switch for one invoice takes precedence over the general one, and can be reset', async () => {
  const bench = await startBench();
  const id = await paidHold(bench);
  await set(bench, { finalize: 'error500' });
  await set(bench, { reference: id, finalize: 'off' });
  expect((await bench.merchant('POST', '/invoice/finalize', { invoiceId: id })).status).toBe(200);
  const other = await paidHold(bench);
  expect((await bench.merchant('POST', '/invoice/finalize', { invoiceId: other })).status).toBe(500);
  expect((await bench.call('GET', '/bank/switches')).body).toMatchObject({
    everyone: { finalize: { kind: 'error500' } },
    references: { [id]: { finalize: { kind: 'off' } } },
  });
  const cleared = await bench.call('DELETE', '/bank/switches');
  expect(cleared.body).toMatchObject({ everyone: {}, references: {} });
  expect((await bench.merchant('POST', '/invoice/finalize', { invoiceId: other })).status).toBe(200);
});

test.each([
  [{ nonsense: true }],
  [{ webhooksLost: 4 }],
  [{ finalize: 'sometimes' }],
  [{ timeScale: 0 }],
  [{ ageDays: 'many' }],
  [{ reference: '', ageDays: 1 }],
])('the switch %j is refused', async (switches) => {
  const bench = await refusing();
  expect((await set(bench, switches)).status).toBe(400);
  expect((await bench.call('GET', '/bank/switches')).body.everyone).toEqual({});
});

test('switches can be set from the page', async () => {
  const bench = await startBench();
  const sent = await bench.app.inject({
    method: 'POST',
    url: '/bank/switches',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'webhookDelayMs=300&webhooksSilent=true&finalize=refused%3A1077+x2&ageDays=&reference=42',
  });
  expect([sent.statusCode, sent.headers.location]).toEqual([303, '/bank?reference=42']);
  expect((await bench.call('GET', '/bank/switches')).body.references).toEqual({
    '42': {
      webhookDelayMs: 300,
      webhooksSilent: true,
      finalize: { kind: 'refused', code: '1077', times: 2 },
    },
  });
});
