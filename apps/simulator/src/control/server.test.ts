import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChargePoint } from '../charge-point.ts';
import { createClock } from '../clock.ts';
import { type CentralSystem, startCentralSystem } from '../testing/central-system.ts';
import { createControlServer } from './server.ts';

let central: CentralSystem;
let chargePoint: ChargePoint;
let control: FastifyInstance;

beforeEach(async () => {
  central = await startCentralSystem();
  chargePoint = new ChargePoint({
    url: central.url,
    identity: 'CP 1/ü',
    station: 'F1234',
    address: 'Дніпро',
    password: central.password,
    connectors: [
      { id: 1, type: 'ccstype2', powerW: 60_000 },
      { id: 2, type: 'gbtac', powerW: 7_000 },
    ],
    clock: createClock({ speed: 600 }),
  });
  control = createControlServer(() => new Map([[chargePoint.identity, chargePoint]]));
  chargePoint.start();
  await chargePoint.until(({ isBooted }) => isBooted);
});

afterEach(async () => {
  chargePoint.stop();
  await control.close();
  await central.stop();
});

const at = `/charge-points/${encodeURIComponent('CP 1/ü')}`;

async function post(path: string, body?: unknown) {
  const answer = await control.inject({
    method: 'POST',
    url: path,
    ...(body === undefined ? {} : { payload: body as object }),
  });
  return { status: answer.statusCode, body: answer.json() };
}

describe('the control API', () => {
  it('shows every charge point with its connectors', async () => {
    const { statusCode, body } = await control.inject('/charge-points');
    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toMatchObject([
      {
        identity: 'CP 1/ü',
        station: 'F1234',
        address: 'Дніпро',
        scenario: 'normal',
        isConnected: true,
        isBooted: true,
        connectors: [
          { id: 1, type: 'ccstype2', powerW: 60_000, status: 'Available', car: null, transaction: null },
          { id: 2, type: 'gbtac', powerW: 7_000, status: 'Available', car: null, transaction: null },
        ],
      },
    ]);
  });

  it('plugs a car in, taps a card, and unplugs it', async () => {
    expect(await post(`${at}/connectors/1/plug`, { soc: 40, battery_wh: 50_000 })).toMatchObject({
      status: 200,
      body: { connectors: [{ status: 'Preparing', car: { soc: 40, batteryWh: 50_000 } }, {}] },
    });
    expect(await post(`${at}/connectors/1/tap`, { card: '04A1B2C3' })).toEqual({
      status: 200,
      body: { outcome: 'accepted' },
    });
    await chargePoint.until(({ connectors }) => typeof connectors[0]?.transaction?.id === 'number');
    expect(await post(`${at}/tap`, { card: '04a1b2c3' })).toEqual({ status: 200, body: { outcome: 'stopped' } });
    expect(await post(`${at}/connectors/1/unplug`)).toMatchObject({
      status: 200,
      body: { connectors: [{ status: 'Available' }, {}] },
    });
  });

  it('hides a car behind an adapter', async () => {
    expect(await post(`${at}/connectors/2/plug`, { adapter: true })).toMatchObject({
      status: 200,
      body: { connectors: [{}, { status: 'Available', car: { soc: expect.any(Number) } }] },
    });
  });

  it('sets a fault on a charge point and clears it', async () => {
    expect(await post(`${at}/scenario`, { scenario: 'faulted' })).toMatchObject({
      status: 200,
      body: { scenario: 'faulted', connectors: [{ status: 'Faulted' }, { status: 'Faulted' }] },
    });
    expect(await post(`${at}/scenario`, { scenario: 'normal' })).toMatchObject({
      body: { connectors: [{ status: 'Available' }, {}] },
    });
  });

  const refusals: [what: string, path: string, body: unknown, status: number, message: RegExp][] = [
    ['an unknown charge point', '/charge-points/unknown/tap', { card: 'A' }, 404, /No charge point unknown/],
    ['an unknown connector', `${at}/connectors/7/plug`, {}, 404, /no connector 7/],
    ['a connector that is no number', `${at}/connectors/x/plug`, {}, 404, /no connector x/],
    ['an unknown scenario', `${at}/scenario`, { scenario: 'explodes' }, 422, /No scenario explodes; there are normal/],
    ['no scenario', `${at}/scenario`, {}, 422, /^scenario: /],
    ['no card', `${at}/tap`, {}, 422, /^card: /],
    ['an empty card', `${at}/tap`, { card: '  ' }, 422, /^card: /],
    ['a card too long', `${at}/tap`, { card: 'x'.repeat(21) }, 422, /^card: /],
    ['no body at all', `${at}/tap`, undefined, 422, /^body: /],
    ['a car fuller than full', `${at}/connectors/1/plug`, { soc: 101 }, 422, /^soc: /],
    ['an unplugged cable to unplug', `${at}/connectors/1/unplug`, {}, 409, /no car is plugged in/],
    ['an unknown address', '/charge', {}, 404, /No such address/],
  ];
  it.each(refusals)('explains what is wrong: %s', async (_, path, body, status, message) => {
    const answer = await post(path, body);
    expect(answer).toEqual({ status, body: { message: expect.stringMatching(message) } });
  });

  it('explains what is wrong: a second car, a body that is not JSON, a body that is too large', async () => {
    await post(`${at}/connectors/1/plug`);
    expect(await post(`${at}/connectors/1/plug`)).toEqual({
      status: 409,
      body: { message: 'a car is plugged in already' },
    });
    const headers = { 'content-type': 'application/json' };
    const broken = await control.inject({ method: 'POST', url: `${at}/tap`, headers, payload: '{"card":' });
    expect([broken.statusCode, broken.json()]).toEqual([400, { message: 'The body is not JSON' }]);
    const large = await control.inject({
      method: 'POST',
      url: `${at}/tap`,
      headers,
      payload: JSON.stringify({ card: 'x'.repeat(20_000) }),
    });
    expect(large.statusCode).toBe(413);
  });
});

it('the control page loads nothing from other hosts', async () => {
  const { statusCode, headers, body } = await control.inject('/');
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(body).toContain('Симулятор зарядних станцій');
  expect(body).not.toMatch(/https?:\/\//);
});
