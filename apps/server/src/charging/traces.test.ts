import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Stack, startStack } from '../testing/stack.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { intValue?: number | string; stringValue?: string } }[];
  links?: { traceId: string }[];
}

const spans: Span[] = [];
let services: string[] = [];
let collector: Server;
let stack: Stack;

/** A collector that understands OTLP over HTTP with JSON. */
beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    expect([request.method, request.url, request.headers['content-type']]).toEqual([
      'POST',
      '/v1/traces',
      'application/json',
    ]);
    for (const { resource, scopeSpans } of JSON.parse(Buffer.concat(chunks).toString()).resourceSpans) {
      services = resource.attributes.map(({ value }: { value: { stringValue: string } }) => value.stringValue);
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  stack = await startStack({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: 'test-network' } });
}, 60_000);
afterAll(async () => {
  await stack.close();
  collector.closeAllConnections();
  collector.close();
});

const attribute = ({ attributes }: Span, key: string) => {
  const value = attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? (value?.intValue === undefined ? undefined : Number(value.intValue));
};
const ofOperation = (id: number) => spans.filter((span) => attribute(span, 'fpay.operation') === id);

test('the requests, bank calls, messages and due steps of one charge are one trace', async () => {
  const station = await stack.addScripted();
  const { client } = await stack.driver();
  const { body } = await stack.pay(client, { connector: station.connector, amount: '150', payment_type: 'card' });
  await stack.payAtBank(body.page_url);
  const { idTag } = await station.device.asked('RemoteStartTransaction');
  const { transactionId } = await station.device.start(1, String(idTag), 1_000);
  const { id } = await stack.db.selectFrom('operations').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
  await stack.until(client, id, 'ongoing');
  await station.device.meter(1, transactionId, 1_050);
  await station.device.stop(transactionId, 1_100);
  await stack.until(client, id, 'finished');

  const expected = [
    'POST /api/payment/new',
    'GET /api/operation/:id',
    'bank POST /invoice/create',
    'bank POST /invoice/finalize',
    'due payment',
    'due operation',
    'OCPP RemoteStartTransaction',
    'OCPP StartTransaction',
    'OCPP MeterValues',
    'OCPP StopTransaction',
    'step',
  ];
  const found = () => [...new Set(ofOperation(id).map(({ name }) => name))];
  await vi.waitFor(() => expect(found()).toEqual(expect.arrayContaining(expected)), { timeout: 20_000, interval: 200 });
  const own = ofOperation(id);
  expect(new Set(own.map(({ traceId }) => traceId)).size).toBe(1);
  expect(services).toContain('test-network');

  const create = own.find(({ name }) => name === 'bank POST /invoice/create');
  const around = own.find(({ spanId }) => spanId === create?.parentSpanId);
  expect(around?.name).toMatch(/^(due payment|POST \/api\/payment\/new|step)$/);
  expect(Number(create?.endTimeUnixNano)).toBeGreaterThanOrEqual(Number(create?.startTimeUnixNano));
  const request = own.find(({ name }) => name === 'GET /api/operation/:id');
  expect(request && attribute(request, 'http.response.status_code')).toBe(200);
  // No attribute carries a token, a phone number or the tag that starts the charge.
  expect(JSON.stringify(own)).not.toContain(String(idTag));
}, 90_000);

test('a request that names a trace is a part of it', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
  await fetch(`${stack.url}/api/settings`, { headers: { traceparent } });
  const found = () => spans.filter((span) => span.traceId === traceId);
  await vi.waitFor(() => expect(found()).toHaveLength(1), { timeout: 20_000, interval: 100 });
  expect(found()[0]).toMatchObject({ name: 'GET /api/settings', parentSpanId: 'b7ad6b7169203331' });

  const unsampled = '1af7651916cd43dd8448eb211c80319c';
  for (const header of [
    `00-${unsampled}-b7ad6b7169203331-00`,
    'nonsense',
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
  ]) {
    expect((await fetch(`${stack.url}/api/settings`, { headers: { traceparent: header } })).status).toBe(200);
  }
  // The two headers that cannot be read are ignored; the request that its caller does not record is not recorded.
  const settings = () => spans.filter(({ name }) => name === 'GET /api/settings');
  await vi.waitFor(() => expect(settings()).toHaveLength(3), { timeout: 20_000, interval: 100 });
  expect(settings().filter((span) => span.traceId === unsampled)).toEqual([]);
}, 60_000);
