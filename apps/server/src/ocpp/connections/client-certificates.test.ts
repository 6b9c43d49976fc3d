import { X509Certificate } from 'node:crypto';
import { get } from 'node:https';
import { type ChargePoint, createSimulatedChargePoint } from '@fpay/simulator';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createAuthority, type PemPair } from '../testing/certificates.ts';
import { eventually, type GatewayFixture, startGateway } from '../testing/gateway.ts';
import { setNeedsCertificate } from './certificate-need.ts';
import { createTlsEndpoint, type TlsEndpoint, type TlsFiles, tlsFilesProblem } from './tls-endpoint.ts';

const ours = createAuthority('Our authority');
const theirs = createAuthority('Another authority');
const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
let gateway: GatewayFixture;
let endpoint: TlsEndpoint;
let files: TlsFiles;
let port: number;
const devices: ChargePoint[] = [];

beforeAll(async () => {
  gateway = await startGateway();
  const server = ours.server();
  files = {
    certificate: ours.write('server.pem', server.cert),
    key: ours.write('server.key', server.key),
    clientAuthority: ours.write('clients.pem', ours.cert),
  };
  const { handleUpgrade } = gateway.gateway;
  endpoint = createTlsEndpoint({ host: '127.0.0.1', port: 0, files, log, handleUpgrade });
  port = (await endpoint.start()).port;
});
afterEach(() => {
  for (const device of devices.splice(0)) device.stop();
});
afterAll(async () => {
  await gateway.stop();
  await endpoint.stop();
  ours.remove();
  theirs.remove();
});

type Point = Awaited<ReturnType<GatewayFixture['addChargePoint']>>;

/** A simulated charge point at the TLS port, or at the plain one. */
function device(point: Point, given: { pair?: PemPair; password?: string; url?: string } = {}): ChargePoint {
  const made = createSimulatedChargePoint({
    url: given.url ?? `wss://127.0.0.1:${port}/ocpp`,
    identity: point.identity,
    password: given.password ?? '',
    tls: { ca: ours.cert, ...given.pair },
    connectors: [{ id: 1, type: 'ccstype2', powerW: 60_000 }],
  });
  devices.push(made);
  made.start();
  return made;
}

async function profile3(): Promise<Point> {
  const point = await gateway.addChargePoint();
  const need = { isNeeded: true, takesCertificates: true };
  await gateway.steps.run((step) => setNeedsCertificate(step, point.id, need));
  return point;
}

const isConnected = (point: Point) => gateway.gateway.connectionOf(point.id)?.hasBooted === true;

async function refusalsOf(point: Point): Promise<string[]> {
  const rows = await gateway.db
    .selectFrom('refused_connections')
    .select(['reason', 'address'])
    .where('identity', '=', point.identity)
    .execute();
  return rows.map(({ reason, address }) => `${reason} ${address}`);
}

async function expectRefused(point: Point, reason: string): Promise<void> {
  await eventually(async () => (await refusalsOf(point)).length > 0);
  expect(await refusalsOf(point)).toEqual([`${reason} 127.0.0.1`]);
  expect(gateway.gateway.connectionOf(point.id)).toBeUndefined();
}

describe('a charge point of security profile 3', () => {
  test('connects and boots with a certificate of our authority that names it, without a password', async () => {
    const point = await profile3();
    device(point, { pair: ours.device(point.identity) });
    await eventually(() => isConnected(point));
    expect(await refusalsOf(point)).toEqual([]);
  });

  test('is refused without a certificate, also with the right password', async () => {
    const point = await profile3();
    device(point, { password: point.password });
    await expectRefused(point, 'no_certificate');
  });

  test('is refused at the port without TLS, where no certificate can be seen', async () => {
    const point = await profile3();
    device(point, { url: gateway.url, password: point.password });
    await expectRefused(point, 'no_certificate');
  });

  test('is refused with a certificate of another authority', async () => {
    const point = await profile3();
    device(point, { pair: theirs.device(point.identity), password: point.password });
    await expectRefused(point, 'foreign_certificate');
  });

  test('is refused with a certificate that has expired', async () => {
    const point = await profile3();
    const pair = ours.device(point.identity, { days: 0 });
    await eventually(() => new X509Certificate(pair.cert).validToDate.getTime() < Date.now() - 1_000);
    device(point, { pair, password: point.password });
    await expectRefused(point, 'expired_certificate');
  });

  test('is refused with the certificate of another charge point', async () => {
    const [point, other] = [await profile3(), await profile3()];
    device(point, { pair: ours.device(other.identity) });
    await expectRefused(point, 'other_certificate');
  });

  test('is refused with a certificate that has two names, although one is its own', async () => {
    const point = await profile3();
    device(point, { pair: ours.issue(`/CN=${point.identity}/CN=OTHER`) });
    await expectRefused(point, 'other_certificate');
  });
});

describe('a charge point of profile 2 at the TLS port', () => {
  test('connects with its password and needs no certificate', async () => {
    const point = await gateway.addChargePoint();
    device(point, { password: point.password });
    await eventually(() => isConnected(point));
  });

  test('is refused without the password, whatever certificate it has', async () => {
    const point = await gateway.addChargePoint();
    device(point, { pair: ours.device(point.identity) });
    await expectRefused(point, 'wrong_password');
  });
});

test('an unregistered identity with a certificate is listed as unknown', async () => {
  const point = { ...(await gateway.addChargePoint()), id: 0, identity: 'NOT-OURS' };
  device(point, { pair: ours.device(point.identity) });
  await expectRefused(point, 'unknown_identity');
});

test('the port serves charge points and nothing else', async () => {
  const status = await new Promise((resolve, reject) => {
    get(`https://127.0.0.1:${port}/api/settings`, { ca: ours.cert }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on('error', reject);
  });
  expect(status).toBe(404);
});

test('files that were replaced count for new connections, and faulty ones change nothing', async () => {
  const serial = () =>
    new Promise<string | undefined>((resolve, reject) => {
      get({ host: '127.0.0.1', port, ca: ours.cert, agent: false }, (answer) => {
        answer.resume();
        resolve(new X509Certificate((answer.socket as never as PeerSocket).getPeerCertificate().raw).serialNumber);
      }).on('error', reject);
    });
  const before = await serial();
  ours.write('server.pem', 'not a certificate');
  endpoint.reload();
  expect(await serial()).toBe(before);

  const next = ours.server();
  ours.write('server.pem', next.cert);
  ours.write('server.key', next.key);
  ours.write('clients.pem', `${ours.cert}${theirs.cert}`);
  endpoint.reload();
  expect(await serial()).toBe(new X509Certificate(next.cert).serialNumber);
  const point = await profile3();
  device(point, { pair: theirs.device(point.identity) });
  await eventually(() => isConnected(point));
});

interface PeerSocket {
  getPeerCertificate(): { raw: Buffer };
}

test('files that cannot be used are explained', () => {
  expect(tlsFilesProblem(files)).toBeNull();
  expect(tlsFilesProblem({ ...files, key: '/nowhere/server.key' })).toMatch(/no such file.*server\.key/);
  const otherKey = ours.write('other.key', theirs.server().key);
  expect(tlsFilesProblem({ ...files, key: otherKey })).toMatch(/key values mismatch/);
  const noAuthority = ours.write('empty.pem', '');
  expect(tlsFilesProblem({ ...files, clientAuthority: noAuthority })).not.toBeNull();
});
