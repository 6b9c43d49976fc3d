import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ago, eventually, type GatewayFixture, startGateway } from './testing/gateway.ts';

let gateway: GatewayFixture;
const sockets: WebSocket[] = [];

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  await gateway.stop();
});

/** A socket that can send anything, with the answers by message id. */
async function connect() {
  const chargePoint = await gateway.addChargePoint();
  const authorization = `Basic ${Buffer.from(`${chargePoint.identity}:${chargePoint.password}`).toString('base64')}`;
  const socket = new WebSocket(`${gateway.url}/${chargePoint.identity}`, ['ocpp1.6'], { headers: { authorization } });
  sockets.push(socket);
  const waiting = new Map<string, (frame: unknown[]) => void>();
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as unknown[];
    waiting.get(String(frame[1]))?.(frame);
  });
  await once(socket, 'open');
  let count = 0;
  const raw = (id: string, text: string | Buffer, isBinary = false) =>
    new Promise<unknown[]>((resolve) => {
      waiting.set(id, resolve);
      socket.send(text, { binary: isBinary });
    });
  const call = (action: string, payload: unknown) => {
    count += 1;
    const id = `m${count}`;
    return raw(id, JSON.stringify([2, id, action, payload]));
  };
  const isAlive = async () => (await call('Heartbeat', {}))[0] === 3;
  return { chargePoint, socket, raw, call, isAlive };
}

const timestamp = ago(60).toISOString();
const valid: Record<string, Record<string, unknown>> = {
  BootNotification: {
    chargePointVendor: 'V',
    chargePointModel: 'M',
    chargePointSerialNumber: 'S',
    firmwareVersion: '1',
    iccid: 'i',
    imsi: 'i',
    meterType: 't',
    meterSerialNumber: 's',
  },
  StatusNotification: {
    connectorId: 1,
    errorCode: 'NoError',
    status: 'Available',
    info: 'i',
    timestamp,
    vendorId: 'v',
    vendorErrorCode: 'e',
  },
  Authorize: { idTag: 'TAG' },
  StartTransaction: { connectorId: 1, idTag: 'TAG', meterStart: 100, timestamp, reservationId: 1 },
  MeterValues: { connectorId: 1, transactionId: 1, meterValue: [{ timestamp, sampledValue: [{ value: '1' }] }] },
  StopTransaction: { transactionId: 1, meterStop: 200, timestamp, idTag: 'TAG', reason: 'Local', transactionData: [] },
  DataTransfer: { vendorId: 'v', messageId: 'm', data: 'd' },
  DiagnosticsStatusNotification: { status: 'Idle' },
  FirmwareStatusNotification: { status: 'Idle' },
  LogStatusNotification: { status: 'Idle', requestId: 1 },
  SecurityEventNotification: { type: 'T', timestamp, techInfo: 'x' },
};
const missing = Symbol('missing');
const bad = [
  missing,
  null,
  '',
  'x'.repeat(5_000),
  '\u0000\ud800',
  -1,
  1e308,
  1.5,
  true,
  [],
  {},
  [[]],
  { a: { b: 1 } },
  '9999-99-99T99:99:99Z',
];
/** Facts that are never refused while any part of them is usable. */
const facts = new Set(['StartTransaction', 'MeterValues', 'StopTransaction']);
const codes = new Set([
  'FormationViolation',
  'OccurenceConstraintViolation',
  'TypeConstraintViolation',
  'PropertyConstraintViolation',
]);

describe('every field of every message, missing, of the wrong type, too long, out of range', () => {
  test.each(Object.entries(valid))(
    '%s is answered by the standard, the socket stays open and nothing wrong is stored',
    async (action, payload) => {
      const { chargePoint, call, isAlive } = await connect();
      await Promise.all(
        Object.keys(payload).flatMap((field) =>
          bad.map(async (value) => {
            const broken: Record<string, unknown> = { ...payload, [field]: value };
            if (value === missing) delete broken[field];
            const answer = await call(action, broken);
            const said = `${action} with ${field} = ${String(JSON.stringify(broken[field])).slice(0, 40)}`;
            if (facts.has(action)) expect([said, answer[0]]).toEqual([said, 3]);
            else expect([said, answer[0] === 3 || codes.has(String(answer[2]))]).toEqual([said, true]);
          }),
        ),
      );
      expect(await isAlive()).toBe(true);
      const stored = await gateway.chargePoint(chargePoint.id);
      expect((stored.vendor ?? '').length).toBeLessThanOrEqual(20);
      for (const row of await gateway.transactionsOf(chargePoint.id)) {
        expect(row.meter_start_wh).toBeGreaterThanOrEqual(0);
        expect(row.id_tag.length).toBeLessThanOrEqual(20);
        expect(Math.abs(row.started_at.getTime() - Date.now())).toBeLessThan(8 * 24 * 3_600_000);
      }
    },
  );

  test.each(Object.keys(valid))('%s with a payload that is no object is a formation violation', async (action) => {
    const { call, isAlive } = await connect();
    for (const payload of ['text', 5, true, [1]]) {
      const answer = await call(action, payload);
      expect([payload, answer[0], answer[2]]).toEqual([payload, 4, 'FormationViolation']);
    }
    expect(await isAlive()).toBe(true);
  });
});

test('field problem 20: unknown words, over-long serials, empty lists and stray commas are read by their meaning', async () => {
  const { chargePoint, call, raw } = await connect();
  expect(
    await call('BootNotification', {
      chargePointVendor: 'V',
      chargePointModel: 'M',
      chargePointSerialNumber: 'S'.repeat(60),
    }),
  ).toMatchObject([3, 'm1', { status: 'Accepted' }]);
  expect((await gateway.chargePoint(chargePoint.id)).serial_number).toBe('S'.repeat(25));
  expect((await call('StatusNotification', { connectorId: 1, errorCode: 'NewError', status: 'Error' }))[0]).toBe(3);
  const connector = await gateway.db
    .selectFrom('connectors')
    .selectAll()
    .where('charge_point_id', '=', chargePoint.id)
    .executeTakeFirstOrThrow();
  expect(connector).toMatchObject({ ocpp_status: 'Faulted', error_code: 'OtherError' });
  const begun = await call('StartTransaction', { connectorId: 1, idTag: 'TAG', meterStart: 0, timestamp });
  const { transactionId } = begun[2] as { transactionId: number };
  const odd = `{"timestamp":"${ago(30).toISOString()}","sampledValue":[{"value":50,"unit":"Hz","measurand":"Frequency"},{"value":"120","unit":"Wh",},]}`;
  expect(
    await raw(
      'c1',
      `[2,"c1","MeterValues",{"connectorId":1,"transactionId":${transactionId},"meterValue":[${odd},{"timestamp":""}]}]`,
    ),
  ).toEqual([3, 'c1', {}]);
  expect(await gateway.transaction(transactionId)).toMatchObject({ energy_wh: 120 });
  expect(await raw('c2', `[2,"c2","MeterValues",{"connectorId":1,"transactionId":,"meterValue":[]}]`)).toEqual([
    3,
    'c2',
    {},
  ]);
});

test('field problem 21: a broken frame gets the error code of this version of the protocol', async () => {
  const { raw, call } = await connect();
  expect((await raw('f1', '[2,"f1","Heartbeat"')).slice(0, 3)).toEqual([4, 'f1', 'FormationViolation']);
  expect((await call('NoSuchAction', {})).slice(0, 3)).toEqual([4, 'm1', 'NotImplemented']);
});

test('field problem 37: a malformed BootNotification is answered and affects no other device', async () => {
  const { call, isAlive, chargePoint } = await connect();
  expect((await call('BootNotification', {}))[0]).toBe(4);
  expect((await call('BootNotification', { chargePointVendor: { $gt: '' }, chargePointModel: ['x'] }))[0]).toBe(4);
  expect(await gateway.chargePoint(chargePoint.id)).toMatchObject({ booted_at: null, vendor: null });
  expect(await isAlive()).toBe(true);
});

describe('invalid frames', () => {
  test('text, binary, half a frame, deep nests and unknown types leave the socket open', async () => {
    const { socket, isAlive } = await connect();
    const nonsense = [
      '',
      'hello',
      '{}',
      '[]',
      '[2]',
      '[2,5]',
      'null',
      '[9,"x","y",{}]',
      '[3,"never-asked",{}]',
      '[4,"never-asked"]',
      `${'['.repeat(20_000)}`,
      '[2,"a","b","c","d","e"]',
    ];
    for (const text of nonsense) socket.send(text);
    socket.send(Buffer.from([0, 1, 2, 255]));
    expect(await isAlive()).toBe(true);
  });

  test('a frame over a megabyte is refused by its id; the socket stays open', async () => {
    const { raw, isAlive } = await connect();
    const answer = await raw(
      'big',
      JSON.stringify([2, 'big', 'DataTransfer', { vendorId: 'v', data: 'x'.repeat(1_200_000) }]),
    );
    expect(answer.slice(0, 3)).toEqual([4, 'big', 'FormationViolation']);
    expect(await isAlive()).toBe(true);
  });

  test('a socket that sends a frame far over every bound is closed, and only that one', async () => {
    const { socket } = await connect();
    const other = await connect();
    const closed = once(socket, 'close');
    socket.send('x'.repeat(5 * 1024 * 1024));
    const [code] = await closed;
    expect(code).toBe(1009);
    expect(await other.isAlive()).toBe(true);
  });

  test('a flood from one device is slowed down and not lost, the others are answered meanwhile', async () => {
    const flooding = await connect();
    const other = await connect();
    const begun = await flooding.call('StartTransaction', {
      connectorId: 1,
      idTag: 'TAG',
      meterStart: 0,
      timestamp: ago(3500).toISOString(),
    });
    const { transactionId } = begun[2] as { transactionId: number };
    const flood = Array.from({ length: 2_500 }, (_, n) => {
      const meterValue = [{ timestamp: ago(3400 - n).toISOString(), sampledValue: [{ value: String(n) }] }];
      return flooding.call('MeterValues', { connectorId: 1, transactionId, meterValue });
    });
    const startedAt = performance.now();
    expect(await other.isAlive()).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await Promise.all(flood);
    await eventually(async () => (await gateway.samplesOf(transactionId)).length === 2_500);
  }, 60_000);
});
