import { once } from 'node:events';
import { connect as tcp } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventually, type GatewayFixture, startGateway } from '../testing/gateway.ts';
import { createAdmission } from './admission.ts';

let gateway: GatewayFixture;
let nowMs = Date.now();
const clock = { now: () => new Date(nowMs) };
const sockets: WebSocket[] = [];

/** Different from the defaults, so that derived values can be recognised. */
const intervals = { pingIntervalMs: 20_000, heartbeatIntervalMs: 30_000 };

beforeAll(async () => {
  // The test calls the checks itself, so that a minute of silence takes no minute.
  gateway = await startGateway({ clock, timings: { tickMs: 1_000_000, nodeHeartbeatMs: 100, ...intervals } });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});
afterAll(() => gateway.stop());

type ChargePoint = Awaited<ReturnType<GatewayFixture['addChargePoint']>>;

interface RawOptions {
  path?: string;
  protocols?: string[];
  password?: string | Buffer;
  autoPong?: boolean;
}

/** A plain socket, for what a regular client cannot do. Returns the HTTP status when it is refused. */
async function raw(chargePoint: Pick<ChargePoint, 'identity' | 'password'>, options: RawOptions = {}) {
  const {
    path = encodeURIComponent(chargePoint.identity),
    protocols = ['ocpp1.6'],
    password = chargePoint.password,
  } = options;
  const secret = Buffer.concat([Buffer.from(`${chargePoint.identity}:`), Buffer.from(password as never)]);
  const headers = { authorization: `Basic ${secret.toString('base64')}` };
  const socket = new WebSocket(`${gateway.url}/${path}`, protocols, { headers, autoPong: options.autoPong ?? true });
  sockets.push(socket);
  const status = await new Promise<number>((resolve) => {
    socket.once('open', () => resolve(101));
    socket.once('error', () => resolve(0));
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
  });
  return { socket, status };
}

async function ask(socket: WebSocket, frame: unknown): Promise<unknown> {
  const answered = once(socket, 'message');
  socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  const [data] = await answered;
  return JSON.parse(String(data));
}

const heartbeat = [2, 'h', 'Heartbeat', {}];
const isOnline = async ({ id }: ChargePoint) => (await gateway.chargePoint(id)).is_online;

describe('admission', () => {
  test('an unknown identity and a wrong or missing key are answered alike, and neither disturbs the connected one', async () => {
    const chargePoint = await gateway.addChargePoint();
    const { socket } = await raw(chargePoint);
    expect((await raw({ identity: 'UNKNOWN', password: 'x' })).status).toBe(401);
    expect((await raw(chargePoint, { password: 'f'.repeat(40) })).status).toBe(401);
    expect((await raw(chargePoint, { password: '' })).status).toBe(401);
    expect(await ask(socket, heartbeat)).toMatchObject([3, 'h', {}]);
    expect(await gateway.link(chargePoint.id)).toMatchObject({ epoch: 1 });
  });

  test('field problem 33: the key is accepted as raw bytes and as hex text', async () => {
    const chargePoint = await gateway.addChargePoint();
    expect((await raw(chargePoint, { password: chargePoint.key })).status).toBe(101);
    expect((await raw(chargePoint, { password: chargePoint.password })).status).toBe(101);
    expect((await raw(chargePoint, { password: chargePoint.password.toUpperCase() })).status).toBe(101);
  });

  test('field problem 32: no sub-protocol is 1.6, slashes at the end and encoded identities are understood', async () => {
    const chargePoint = await gateway.addChargePoint({ identity: 'CP 1/ї:2' });
    const { socket, status } = await raw(chargePoint, {
      protocols: [],
      path: `${encodeURIComponent(chargePoint.identity)}/`,
    });
    expect([status, socket.protocol]).toEqual([101, '']);
    expect(await ask(socket, heartbeat)).toMatchObject([3, 'h', {}]);
    const several = await raw(chargePoint, { protocols: ['ocpp2.0.1', 'ocpp1.6'] });
    expect(several.socket.protocol).toBe('ocpp1.6');
  });

  test('a device that supports only another version completes the handshake and is closed at once', async () => {
    const chargePoint = await gateway.addChargePoint();
    const secret = Buffer.from(`${chargePoint.identity}:${chargePoint.password}`).toString('base64');
    const socket = tcp(gateway.port, '127.0.0.1');
    socket.write(
      `GET /ocpp/${chargePoint.identity} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: ocpp1.5\r\n` +
        `Authorization: Basic ${secret}\r\n\r\n`,
    );
    let received = Buffer.alloc(0);
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
    });
    // 0x88 is a close frame.
    await eventually(() => received.includes(0x88) && received.includes('101 Switching Protocols'));
    expect(received.toString('latin1').toLowerCase()).not.toContain('sec-websocket-protocol');
    socket.destroy();
    expect(gateway.gateway.connectionOf(chargePoint.id)).toBeUndefined();
  });

  /** The whole answer to a handshake, as bytes on the wire. */
  async function answerTo(identity: string, password: string): Promise<string> {
    const secret = Buffer.from(`${identity}:${password}`).toString('base64');
    const socket = tcp(gateway.port, '127.0.0.1');
    socket.write(
      `GET /ocpp/${identity} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: ocpp1.6\r\n' +
        `Authorization: Basic ${secret}\r\n\r\n`,
    );
    let received = '';
    socket.on('data', (data) => {
      received += data;
    });
    await once(socket, 'close');
    return received;
  }

  test('answers do not show which identities exist, neither the first nor the sixtieth', async () => {
    const chargePoint = await gateway.addChargePoint();
    const [known, unknown]: [string[], string[]] = [[], []];
    nowMs += 120_000;
    for (let n = 0; n < 12; n += 1) known.push(await answerTo(chargePoint.identity, 'wrong'));
    nowMs += 120_000;
    for (let n = 0; n < 12; n += 1) unknown.push(await answerTo('CP-00000000', 'wrong'));
    expect(known).toEqual(unknown);
    expect(known[0]).toContain('401 Unauthorized');
    expect(known[11]).toContain('429 Too Many Requests');
    nowMs += 120_000;
    // Many different identities from one address end in 429 like many different keys of one identity.
    const scanned: string[] = [];
    for (let n = 0; n < 62; n += 1) scanned.push((await answerTo(`CP-scan-${n}`, 'wrong')).slice(9, 12));
    expect(scanned.slice(-3)).toEqual(['401', '429', '429']);
    expect(await answerTo(chargePoint.identity, 'wrong')).toContain('429 Too Many Requests');
    nowMs += 120_000;
  });

  test('a right key is always accepted, however many wrong ones came from the same address for the same device', async () => {
    const chargePoint = await gateway.addChargePoint();
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) statuses.push((await raw(chargePoint, { password: 'wrong' })).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await raw(chargePoint)).status).toBe(101);
    expect((await raw(chargePoint, { password: 'wrong' })).status).toBe(429);
    expect((await raw(chargePoint, { password: chargePoint.key })).status).toBe(101);
  });

  test('a known and an unknown identity cost the same: one lookup, one comparison of keys, one count', async () => {
    const { identity } = await gateway.addChargePoint();
    const done: string[] = [];
    const admission = createAdmission({
      db: gateway.db,
      clock,
      limits: { take: async ({ key }) => void done.push(key.replaceAll(/(CP-\w+|UNKNOWN)/g, 'identity')) },
      isKey: (_presented, hash) => {
        done.push(`compared with ${hash.length} bytes`);
        return false;
      },
    });
    const work: string[][] = [];
    for (const name of [identity, 'UNKNOWN']) {
      await admission.admit({
        identity: name,
        password: Buffer.from('wrong'),
        certificate: null,
        address: '203.0.113.9',
      });
      work.push(done.splice(0));
    }
    expect(work[0]).toEqual(work[1]);
    expect(work[0]?.[0]).toBe('compared with 32 bytes');
  });
});

describe('one charge point, several sockets', () => {
  test('field problem 1: a half-open socket does not keep the device out: the newest wins, after its key was checked', async () => {
    const chargePoint = await gateway.addChargePoint();
    const old = await raw(chargePoint);
    const closed = once(old.socket, 'close');
    expect((await raw(chargePoint, { password: 'wrong' })).status).toBe(401);
    expect(await ask(old.socket, heartbeat)).toMatchObject([3, 'h', {}]);
    const newest = await raw(chargePoint);
    expect(newest.status).toBe(101);
    await closed;
    expect(await ask(newest.socket, heartbeat)).toMatchObject([3, 'h', {}]);
    expect(gateway.gateway.connectionOf(chargePoint.id)?.epoch).toBe(2);
  });

  test('field problems 2 and 49: the late close of the old socket changes nothing', async () => {
    const chargePoint = await gateway.addChargePoint();
    const old = await raw(chargePoint);
    const newest = await raw(chargePoint);
    await eventually(() => old.socket.readyState === WebSocket.CLOSED);
    old.socket.terminate();
    nowMs += 1;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await gateway.link(chargePoint.id)).toMatchObject({
      epoch: 2,
      node_id: gateway.nodeId,
      offline_due_at: null,
    });
    expect(await isOnline(chargePoint)).toBe(true);
    newest.socket.on('message', (data) => {
      const [type, id] = JSON.parse(String(data)) as [number, string];
      if (type === 2) newest.socket.send(JSON.stringify([3, id, { status: 'Accepted' }]));
    });
    await ask(newest.socket, [2, 'b', 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' }]);
    const connection = gateway.gateway.connectionOf(chargePoint.id);
    if (connection) connection.isReady = true;
    const outcome = await gateway.commands.send({ chargePointId: chargePoint.id, action: 'ClearCache', payload: {} });
    expect(outcome).toMatchObject({ status: 'answered', answer: { status: 'Accepted' } });
  });
});

describe('signs of life', () => {
  test('field problem 3: a device that falls silent is offline after a minute [CONN-25]', async () => {
    const chargePoint = await gateway.addChargePoint();
    const { socket } = await raw(chargePoint, { autoPong: false });
    expect(await isOnline(chargePoint)).toBe(true);
    nowMs += 59_000;
    gateway.gateway.look();
    expect(gateway.gateway.connectionOf(chargePoint.id)).toBeDefined();
    const closed = once(socket, 'close');
    nowMs += 2_000;
    gateway.gateway.look();
    await closed;
    await eventually(async () => !(await isOnline(chargePoint)));
    expect(gateway.changes.filter(({ kind, ids }) => kind === 'offline' && ids.includes(chargePoint.id))).toHaveLength(
      1,
    );
  });

  test('a socket that closes leaves the device online for the rest of the minute, because most reconnect within seconds', async () => {
    const chargePoint = await gateway.addChargePoint();
    const { socket } = await raw(chargePoint);
    socket.terminate();
    await eventually(async () => (await gateway.link(chargePoint.id)).node_id === null);
    nowMs += 30_000;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await isOnline(chargePoint)).toBe(true);
    await raw(chargePoint);
    nowMs += 40_000;
    gateway.gateway.connectionOf(chargePoint.id)?.link.ping();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await isOnline(chargePoint)).toBe(true);
  });

  test('with the usual settings a device that answers pings is offline after 90 s, and one that only sends heartbeats never', async () => {
    const usual = await startGateway({ clock, timings: { tickMs: 1_000_000 }, database: gateway.database });
    const open = async (autoPong: boolean) => {
      const chargePoint = await usual.addChargePoint();
      const authorization = `Basic ${Buffer.from(`${chargePoint.identity}:${chargePoint.password}`).toString('base64')}`;
      const options = { headers: { authorization }, autoPong };
      const socket = new WebSocket(`${usual.url}/${chargePoint.identity}`, ['ocpp1.6'], options);
      sockets.push(socket);
      await once(socket, 'open');
      return { socket, chargePoint, connection: () => usual.gateway.connectionOf(chargePoint.id) };
    };
    const answering = await open(true);
    const mute = await open(false);
    const boot = await ask(mute.socket, [
      2,
      'b',
      'BootNotification',
      { chargePointVendor: 'V', chargePointModel: 'M' },
    ]);
    expect(boot).toMatchObject([3, 'b', { interval: 120 }]);
    answering.connection()?.link.ping();
    await eventually(() => answering.connection()?.link.answersPings);
    answering.socket.pause();
    for (let beats = 0; beats < 3; beats += 1) {
      nowMs += 89_000;
      usual.gateway.look();
      if (beats === 0) expect(answering.connection()).toBeDefined();
      nowMs += 31_000;
      usual.gateway.look();
      expect(answering.connection()).toBeUndefined();
      expect(await ask(mute.socket, heartbeat)).toMatchObject([3, 'h', {}]);
    }
    await usual.stop();
  });

  test('field problems 4 and 50: a device that only sends a heartbeat each minute less a second is never cut off', async () => {
    const chargePoint = await gateway.addChargePoint();
    const { socket } = await raw(chargePoint, { autoPong: false });
    for (let minute = 0; minute < 5; minute += 1) {
      nowMs += 59_000;
      gateway.gateway.look();
      expect(await ask(socket, heartbeat)).toMatchObject([3, 'h', {}]);
    }
    expect(gateway.gateway.connectionOf(chargePoint.id)?.epoch).toBe(1);
  });

  test('a process that stood still drops no device that answers afterwards, and still notices one that does not', async () => {
    const timings = { tickMs: 20, pingIntervalMs: 200, offlineAfterMs: 400, heartbeatIntervalMs: 400 };
    const steady = await startGateway({ timings, database: gateway.database });
    const open = async (autoPong: boolean) => {
      const chargePoint = await steady.addChargePoint();
      const authorization = `Basic ${Buffer.from(`${chargePoint.identity}:${chargePoint.password}`).toString('base64')}`;
      const socket = new WebSocket(`${steady.url}/${chargePoint.identity}`, ['ocpp1.6'], {
        headers: { authorization },
        autoPong,
      });
      sockets.push(socket);
      await once(socket, 'open');
      return () => steady.gateway.connectionOf(chargePoint.id);
    };
    const [answering, gone] = [await open(true), await open(false)];
    await eventually(() => answering()?.link.answersPings);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    await eventually(() => gone() === undefined);
    expect(answering()).toBeDefined();
    await steady.stop();
  });

  test('field problem 5: a device that never answers pings lives as long as it answers anything', async () => {
    const chargePoint = await gateway.addChargePoint();
    const { socket } = await raw(chargePoint, { autoPong: false });
    const connection = gateway.gateway.connectionOf(chargePoint.id);
    if (connection) connection.isReady = true;
    const asked: string[] = [];
    socket.on('message', (data) => {
      const [type, id, action] = JSON.parse(String(data)) as [number, string, string];
      if (type !== 2) return;
      asked.push(action);
      socket.send(JSON.stringify([4, id, 'NotImplemented', '', {}]));
    });
    nowMs += 40_000;
    for (let round = 0; round < 20; round += 1) gateway.gateway.look();
    await eventually(() => asked.includes('TriggerMessage') && nowMs - (connection?.link.heardAt ?? 0) < 1_000);
    nowMs += 40_000;
    gateway.gateway.look();
    expect(gateway.gateway.connectionOf(chargePoint.id)).toBe(connection);
  });
});

describe('calls that cross', () => {
  test('field problem 9: calls of both sides cross without a deadlock, and inbound ones are never refused for it', async () => {
    const chargePoint = await gateway.addChargePoint();
    const { socket } = await raw(chargePoint);
    const connection = gateway.gateway.connectionOf(chargePoint.id);
    if (connection) connection.isReady = true;
    const answers: unknown[] = [];
    // It answers our call only after its own ten calls were answered.
    let pending: string | null = null;
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as [number, string];
      if (frame[0] === 2) pending = frame[1];
      else answers.push(frame);
      if (answers.length === 10 && pending) socket.send(JSON.stringify([3, pending, { status: 'Accepted' }]));
    });
    const sending = gateway.commands.send({ chargePointId: chargePoint.id, action: 'ClearCache', payload: {} });
    await eventually(() => pending !== null);
    for (let n = 0; n < 10; n += 1) {
      socket.send(
        JSON.stringify([
          2,
          `s${n}`,
          'StatusNotification',
          { connectorId: 1, errorCode: 'NoError', status: 'Available' },
        ]),
      );
    }
    expect(await sending).toMatchObject({ status: 'answered' });
    expect(answers.every((frame) => (frame as [number])[0] === 3)).toBe(true);
  });

  test('field problem 10: an answer that comes too late is dropped and not delivered to another call', async () => {
    const chargePoint = await gateway.addChargePoint();
    const { socket } = await raw(chargePoint);
    const connection = gateway.gateway.connectionOf(chargePoint.id);
    const ids: string[] = [];
    socket.on('message', (data) => {
      const [type, id] = JSON.parse(String(data)) as [number, string];
      if (type === 2) ids.push(id);
      if (ids.length === 2) {
        socket.send(JSON.stringify([3, ids[0], { status: 'Rejected' }]));
        socket.send(JSON.stringify([3, ids[1], { status: 'Accepted' }]));
      }
    });
    const { v16 } = await import('@fpay/ocpp');
    const first = connection?.link.call(v16.ClearCache, {}, { timeoutMs: 100 });
    await expect(first).rejects.toMatchObject({ failure: 'timeout' });
    expect(await connection?.link.call(v16.ClearCache, {}, { timeoutMs: 5_000 })).toEqual({ status: 'Accepted' });
  });
});

test('a reconnect storm: three hundred devices reconnect at once, each boots and reports its status, none fails', async () => {
  const chargePoints: ChargePoint[] = [];
  while (chargePoints.length < 300) {
    chargePoints.push(...(await Promise.all(Array.from({ length: 6 }, () => gateway.addChargePoint()))));
  }
  const comeBack = async (chargePoint: ChargePoint) => {
    const { socket, status } = await raw(chargePoint);
    if (status !== 101) return status;
    const boot = await ask(socket, [2, 'b', 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' }]);
    const state = await ask(socket, [
      2,
      's',
      'StatusNotification',
      { connectorId: 1, errorCode: 'NoError', status: 'Available' },
    ]);
    return (boot as [number])[0] === 3 && (state as [number])[0] === 3 ? 101 : 0;
  };
  for (let storm = 0; storm < 2; storm += 1) {
    const statuses = await Promise.all(chargePoints.map(comeBack));
    expect(statuses.filter((status) => status !== 101)).toEqual([]);
  }
  const { count } = await gateway.db
    .selectFrom('connectors')
    .innerJoin('charge_points', 'charge_points.id', 'connectors.charge_point_id')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where(
      'charge_points.id',
      'in',
      chargePoints.map(({ id }) => id),
    )
    .where('charge_points.is_online', '=', true)
    .where('connectors.ocpp_status', '=', 'Available')
    .executeTakeFirstOrThrow();
  expect(count).toBe(300);
  // Twelve hundred answers and as many handshakes take time, and other tests run in parallel.
}, 60_000);

test('field problem 63: a charge point that reconnects every second is an anomaly, one that connects three times is none', async () => {
  const [restless, calm] = [await gateway.addChargePoint(), await gateway.addChargePoint()];
  for (let times = 0; times < 12; times += 1) {
    const client = await gateway.connect(restless);
    await client.close();
    await eventually(async () => (await gateway.link(restless.id)).node_id === null);
  }
  for (let times = 0; times < 3; times += 1) await (await gateway.connect(calm)).close();
  await eventually(async () => (await gateway.anomaliesOf(restless.id)).length > 0);
  expect(await gateway.anomaliesOf(restless.id)).toEqual(['reconnecting']);
  expect(await gateway.anomaliesOf(calm.id)).toEqual([]);
});

test('field problem 63: two charge points with one identity are an anomaly', async () => {
  const point = await gateway.addChargePoint();
  for (let times = 0; times < 4; times += 1) {
    await gateway.connect(point);
    await gateway.connect(point);
  }
  await eventually(async () => (await gateway.anomaliesOf(point.id)).length > 0);
  expect(await gateway.anomaliesOf(point.id)).toEqual(['identityContested']);
});
