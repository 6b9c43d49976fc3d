import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { isMutating } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { currency, Kopecks, kopecks, SignedKopecks, WattHours, Watts } from './money.ts';
import { refusals } from './refusals.ts';
import { canonicalJson, formatSignature, parseSignature, textToSign } from './signature.ts';
import { IdText, Instant, KyivDate, KyivTime, PageQuery } from './wire.ts';

const accepts = (schema: z.core.$ZodType, value: unknown) => z.safeParse(schema, value).success;

test('money, energy and power are integers in kopecks, Wh and W [API-09]', () => {
  for (const unit of [Kopecks, WattHours, Watts]) {
    expect([0, 1, 312_40].map((value) => accepts(unit, value))).toEqual([true, true, true]);
    expect([-1, 0.5, '5', Number.NaN, null].map((value) => accepts(unit, value))).toEqual(Array(5).fill(false));
  }
  expect([-5, 5, 1.5].map((value) => accepts(SignedKopecks, value))).toEqual([true, true, false]);
  expect(() => kopecks(0.1 + 0.2)).toThrow();
});

test('the currency is the hryvnia [CONST-01]', () => {
  expect(currency).toEqual({ code: 'UAH', symbol: '₴', isoNumber: 980 });
});

test('instants have an offset, dates and times are in Kyiv time [API-10]', () => {
  expect(['2026-11-15T10:00:00+02:00', '2026-11-15T08:00:00Z'].map((text) => accepts(Instant, text))).toEqual([
    true,
    true,
  ]);
  expect(['2026-11-15T10:00:00', '2026-11-15', 5].map((text) => accepts(Instant, text))).toEqual([false, false, false]);
  expect([accepts(KyivDate, '2026-02-28'), accepts(KyivDate, '2026-02-30')]).toEqual([true, false]);
  expect(['00:00', '23:59', '24:00', '9:30'].map((text) => accepts(KyivTime, text))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('lists that can grow accept before and limit [API-12]', () => {
  expect(PageQuery.parse({ before: '120', limit: '50' })).toEqual({ before: 120, limit: 50 });
  expect(PageQuery.parse({})).toEqual({});
  for (const bad of [{ before: '-1' }, { before: '1e3' }, { limit: '0' }, { limit: '501' }, { limit: 'all' }]) {
    expect(accepts(PageQuery, bad)).toBe(false);
  }
});

test('an id in a path consists of digits only', () => {
  expect(IdText.parse('42')).toBe(42);
  expect(['', '0', '-1', '+1', ' 1', '1.0', '0x1', '99999999999999999'].map((text) => accepts(IdText, text))).toEqual(
    Array(8).fill(false),
  );
});

test('field names on the wire are snake_case unless the specification spells them otherwise [API-10]', () => {
  const spelled = new Set([
    'connectionString',
    'connectorType',
    'connectorAddress',
    'connectorPower',
    'isPaid',
    'firstOperation',
    'lastOperation',
    'chargePointId',
    'resetType',
    'transactionId',
    'maxZoom',
    'tileSize',
    'operationId',
    'paymentId',
  ]);
  const names = new Set<string>();
  const walk = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    if ('properties' in node) for (const name of Object.keys(node.properties as object)) names.add(name);
    for (const child of Object.values(node)) walk(child);
  };
  for (const { params, query, body, reply } of endpoints) {
    for (const schema of [params, query, body, reply])
      if (schema) walk(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }));
  }
  const odd = [...names].filter((name) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name) && !spelled.has(name));
  expect(odd).toEqual([]);
});

test('no two calls share a method and path, and every call below /api declares its access', () => {
  const keys = endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(keys).size).toBe(keys.length);
  for (const { path, access } of endpoints) expect([path.startsWith('/api/'), access.length > 0]).toEqual([true, true]);
  expect(endpoints.filter(({ method, movesMoney }) => movesMoney && !isMutating(method))).toEqual([]);
});

test('refusals have statuses of the error catalogue and English texts [I18N-04] [API-11]', () => {
  const allowed = [400, 401, 402, 403, 404, 409, 413, 415, 419, 422, 429, 500, 502, 503];
  for (const [code, { status, message }] of Object.entries(refusals)) {
    expect([code, allowed.includes(status)]).toEqual([code, true]);
    expect(message).toMatch(/^[ -~]+$/);
  }
});

test('canonical JSON does not depend on the order of keys, and omits what JSON omits [API-05]', () => {
  expect(canonicalJson({ b: [1, { z: null, a: undefined }], a: 'ї"' })).toBe('{"a":"ї\\"","b":[1,{"z":null}]}');
  expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }));
  expect(canonicalJson([undefined, 1.5, true])).toBe('[null,1.5,true]');
});

test('a signature is v1, time, nonce and mac over method, path, time, nonce and body hash [API-05]', () => {
  const mac = 'A'.repeat(43);
  expect(parseSignature(formatSignature(1763200000000, 'nonce-nonce', mac))).toEqual({
    unixMs: 1763200000000,
    nonce: 'nonce-nonce',
    mac,
  });
  expect(textToSign({ method: 'POST', path: '/api/x', unixMs: 5, nonce: 'n', bodyHash: 'h' })).toBe(
    'POST\n/api/x\n5\nn\nh',
  );
  for (const bad of [
    '',
    `v2.1.nonce-nonce.${mac}`,
    `v1.x.nonce-nonce.${mac}`,
    `v1.1.short.${mac}`,
    `v1.1.nonce-nonce.${mac}A`,
    5,
    null,
  ]) {
    expect(parseSignature(bad)).toBeNull();
  }
});
