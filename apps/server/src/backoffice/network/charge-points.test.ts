import { auditList } from '@fpay/contract/admin/audit';
import {
  chargePointList,
  chargePointView,
  registerChargePoint,
  renewChargePointKey,
  secureChargePoint,
} from '@fpay/contract/admin/network/charge-points';
import {
  changeDevice,
  commandDevice,
  type DeviceChange,
  type DeviceCommand,
} from '@fpay/contract/admin/network/device-commands';
import { sql } from 'kysely';
import type { RPCClient } from 'ocpp-rpc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChargePointStaffActions } from '../../ocpp/connections/staff.ts';
import { createAuthority } from '../../ocpp/testing/certificates.ts';
import { connectClient } from '../../ocpp/testing/client.ts';
import { answerCalls, eventually } from '../../ocpp/testing/gateway.ts';
import { createAudit } from '../../platform/audit.ts';
import { freeTestPort, startTestServer, type TestServer } from '../../testing/server.ts';
import { commissioningFacts } from '../commissioning/facts.ts';

const authority = createAuthority('Our authority');
let server: TestServer;
let boss: Awaited<ReturnType<TestServer['signedIn']>>;
const clients: RPCClient[] = [];
beforeAll(async () => {
  const { cert, key } = authority.server();
  server = await startTestServer({
    env: {
      OCPP_TLS_PORT: String(await freeTestPort()),
      OCPP_TLS_CERT: authority.write('server.pem', cert),
      OCPP_TLS_KEY: authority.write('server.key', key),
      OCPP_TLS_CLIENT_CA: authority.write('clients.pem', authority.cert),
    },
  });
  boss = await server.signedIn('SuperAdmin');
});
afterAll(async () => {
  for (const client of clients) await client.close({ force: true } as never).catch(() => {});
  await server.close();
  authority.remove();
});

let identities = 0;
async function register() {
  identities += 1;
  const { body } = await boss.client.call(registerChargePoint, { body: { identity: `FP-DNP-${identities}:A` } });
  return body;
}

async function connect(identity: string, password: string, protocols?: string[]): Promise<RPCClient> {
  const client = await connectClient({ port: server.port, identity, password, ...(protocols && { protocols }) });
  clients.push(client);
  return client;
}

const boot = (client: RPCClient) =>
  client.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M', firmwareVersion: '1.14.2' });
const detail = async (id: number) => (await boss.client.call(chargePointView, { params: { id: String(id) } })).body;

describe('a charge point', () => {
  test('is registered with a password that connects it, and is on record without the password', async () => {
    const added = await register();
    expect(added.address).toBe(`ws://localhost:${server.port}/ocpp/${encodeURIComponent(added.identity)}`);
    expect(await detail(added.id)).toMatchObject({ is_online: false, since: null, connectors: [], refused: [] });
    const client = await connect(added.identity, added.password);
    await boot(client);
    expect(await detail(added.id)).toMatchObject({
      is_online: true,
      since: expect.any(String),
      firmware_version: '1.14.2',
      booted_at: expect.any(String),
      address: added.address,
    });
    const again = await boss.client.call(registerChargePoint, { body: { identity: added.identity } });
    expect([again.status, (again.body as { code?: string }).code]).toEqual([409, 'charge_point_exists']);
    const { body: records } = await boss.client.call(auditList, { query: { action: 'charge-point.register' } });
    expect(records[0]).toMatchObject({ after: { identity: added.identity } });
    expect(JSON.stringify(records)).not.toContain(added.password);
  });

  test('gets another password, and the old one is refused', async () => {
    const added = await register();
    const { body } = await boss.client.call(renewChargePointKey, { params: { id: String(added.id) } });
    expect(body).toMatchObject({ id: added.id, identity: added.identity });
    await expect(connect(added.identity, added.password)).rejects.toThrow();
    await connect(added.identity, body.password);
    await eventually(async () => (await detail(added.id)).refused.length === 1);
    expect((await detail(added.id)).refused).toMatchObject([{ reason: 'wrong_password', address: '127.0.0.1' }]);
  });

  test('needs a certificate when staff say so, and its password again when they take it back, on record', async () => {
    const added = await register();
    const secure = (needs_certificate: boolean) =>
      boss.client.call(secureChargePoint, { params: { id: String(added.id) }, body: { needs_certificate } });
    expect((await secure(true)).body).toEqual({ needs_certificate: true });
    expect((await detail(added.id)).needs_certificate).toBe(true);
    await expect(connect(added.identity, added.password)).rejects.toThrow();
    await eventually(async () => (await detail(added.id)).refused.length === 1);
    expect((await detail(added.id)).refused).toMatchObject([{ reason: 'no_certificate' }]);
    await secure(true);
    await secure(false);
    await boot(await connect(added.identity, added.password));
    const { body: records } = await boss.client.call(auditList, { query: { action: 'charge-point.secure' } });
    expect(records.map(({ after }) => after)).toEqual([{ needs_certificate: false }, { needs_certificate: true }]);
    const unknown = { params: { id: '999999' }, body: { needs_certificate: true } };
    expect((await boss.client.call(secureChargePoint, unknown)).status).toBe(404);
  });

  test('cannot need a certificate when the server takes none', async () => {
    const { id } = await register();
    const { steps, clock, config } = server;
    const parts = { steps, clock, audit: createAudit(clock), secret: config.secret };
    const actions = createChargePointStaffActions({ ...parts, takesCertificates: false });
    await expect(actions.secure(boss.id, id, true)).rejects.toMatchObject({ code: 'client_certificates_off' });
    expect((await detail(id)).needs_certificate).toBe(false);
  });

  test('is found by a part of its identity and by its state', async () => {
    const added = await register();
    const list = async (query: object) => (await boss.client.call(chargePointList, { query })).body;
    const found = await list({ q: added.identity.slice(3).toLowerCase(), state: 'offline' });
    expect(found.charge_points).toMatchObject([{ identity: added.identity, is_online: false, connectors: 0 }]);
    expect(found.counts.all).toBe(found.counts.online + found.counts.offline);
    expect((await list({ q: added.identity, state: 'online' })).charge_points).toEqual([]);
    expect((await list({ q: '100%' })).charge_points).toEqual([]);
    expect((await list({ after: 'ZZZ' })).charge_points).toEqual([]);
  });
});

test('staff see why devices have no connection: unknown, wrong password, no sub-protocol, replaced', async () => {
  const added = await register();
  await expect(connect('FP-FORGOTTEN', added.password)).rejects.toThrow();
  for (let times = 0; times < 3; times += 1) await expect(connect(added.identity, 'ff'.repeat(20))).rejects.toThrow();
  // The handshake ends well and the socket is closed at once, as the standard requires.
  await connect(added.identity, added.password, ['ocpp2.0.1']).catch(() => {});
  await connect(added.identity, added.password);
  await connect(added.identity, added.password);
  await eventually(async () => (await detail(added.id)).refused.length === 3);
  const { refused } = await detail(added.id);
  expect(Object.fromEntries(refused.map(({ reason, times }) => [reason, times]))).toEqual({
    wrong_password: 3,
    no_subprotocol: 1,
    replaced: 1,
  });
  const { body } = await boss.client.call(chargePointList, { query: {} });
  expect(body.unknown).toMatchObject([{ identity: 'FP-FORGOTTEN', reason: 'unknown_identity', times: 1 }]);
});

describe('a command', () => {
  async function connected(answer: (method: string) => object) {
    const added = await register();
    const client = await connect(added.identity, added.password);
    const calls: { method: string; params: unknown }[] = [];
    answerCalls(client, (method, params) => {
      calls.push({ method, params });
      // The gateway reads and sets the configuration after a boot by itself.
      if (method === 'TriggerMessage' || method === 'GetConfiguration') return { status: 'Accepted' };
      return answer(method);
    });
    await boot(client);
    return { ...added, client, calls };
  }
  const send = async (id: number, body: DeviceCommand) =>
    (await boss.client.call(commandDevice, { params: { id: String(id) }, body })).body.command;
  const change = (id: number, body: DeviceChange) =>
    boss.client.call(changeDevice, { params: { id: String(id) }, body });
  async function outcome(id: number, command: number) {
    const find = async () => (await detail(id)).commands.find((one) => one.id === command);
    await eventually(async () => !['queued', 'sent', undefined].includes((await find())?.status));
    return find();
  }

  test('shows the own answer of the charger, also a refusal', async () => {
    const point = await connected((method) => {
      if (method === 'UnlockConnector') return { status: 'Unlocked' };
      if (method === 'ChangeAvailability') return { status: 'Rejected' };
      throw Object.assign(new Error('no cache here'), { rpcErrorCode: 'NotSupported' });
    });
    const sent = [
      await send(point.id, { action: 'UnlockConnector', connector: 1 }),
      await send(point.id, { action: 'ChangeAvailability', connector: 0, type: 'Inoperative' }),
      await send(point.id, { action: 'ClearCache' }),
    ];
    const [unlocked, unavailable, cleared] = await Promise.all(sent.map((command) => outcome(point.id, command)));
    expect(unlocked).toMatchObject({ status: 'answered', answer: { status: 'Unlocked' }, staff: expect.any(String) });
    expect(unavailable).toMatchObject({ status: 'answered', answer: { status: 'Rejected' } });
    expect(cleared).toMatchObject({ status: 'error', answer: { code: expect.any(String) } });
    const { body: records } = await boss.client.call(auditList, { query: { action: 'station.unlock' } });
    expect(records[0]).toMatchObject({
      subject_kind: 'charge-point',
      subject_id: String(point.id),
      after: { connectorId: 1 },
    });
  });

  test('to a charge point without a connection is answered at once', async () => {
    const { id } = await register();
    expect(await outcome(id, await send(id, { action: 'Reset', type: 'Soft' }))).toMatchObject({ status: 'offline' });
  });

  test('for diagnostics and firmware shows the progress that the charger reports', async () => {
    const point = await connected((method) => (method === 'GetDiagnostics' ? { fileName: 'a.log' } : {}));
    const location = 'ftp://files.fpay.test/logs';
    const { body } = await change(point.id, { action: 'GetDiagnostics', location });
    expect(await outcome(point.id, body.command)).toMatchObject({ answer: { fileName: 'a.log' } });
    await change(point.id, { action: 'UpdateFirmware', location });
    await point.client.call('DiagnosticsStatusNotification', { status: 'Uploading' });
    await point.client.call('FirmwareStatusNotification', { status: 'Downloading' });
    await point.client.call('DiagnosticsStatusNotification', { status: 'Uploaded' });
    expect(await detail(point.id)).toMatchObject({
      diagnostics: { status: 'Uploaded' },
      firmware: { status: 'Downloading' },
    });
    await eventually(() => point.calls.some(({ method }) => method === 'UpdateFirmware'));
  });

  test.each([
    ['five minutes ahead', 300_000],
    ['seven years ahead', 7 * 365 * 86_400_000],
    ['eleven years behind', -11 * 365 * 86_400_000],
  ])('field problem 59: the page shows a clock that is %s, also when the status is repeated', async (_far, aheadMs) => {
    const point = await connected(() => ({ status: 'Accepted' }));
    await sql`with station as (insert into stations (number, address, address_uk, lat, lon, created_at)
        values (${`F77${point.id}`}, 'A', 'А', 48.46, 35.04, now()) returning id)
      insert into connectors (station_id, charge_point_id, ocpp_connector, type, power_w)
        select id, ${point.id}, 1, 'ccstype2', 50000 from station`.execute(server.db);
    expect((await detail(point.id)).clock_ahead_ms).toBeNull();
    for (let times = 0; times < 2; times += 1) {
      const timestamp = new Date(Date.now() + aheadMs).toISOString();
      await point.client.call('StatusNotification', {
        connectorId: 1,
        errorCode: 'NoError',
        status: 'Available',
        timestamp,
      });
      const shown = (await detail(point.id)).clock_ahead_ms ?? 0;
      expect(Math.abs(shown - aheadMs)).toBeLessThan(30_000);
    }
    const known = await commissioningFacts(server.db, point.id, new Date(0));
    expect(Math.abs((known?.clockAheadMs ?? 0) - aheadMs)).toBeLessThan(30_000);
  });

  test('a key that was readable is listed until staff create another', async () => {
    const { id } = await register();
    await server.db.updateTable('charge_points').set({ key_exposed_at: new Date() }).where('id', '=', id).execute();
    const exposed = async () => (await boss.client.call(chargePointList, { query: { state: 'exposed' } })).body;
    expect(await exposed()).toMatchObject({ charge_points: [{ id, is_key_exposed: true }], counts: { exposed: 1 } });
    expect((await detail(id)).key_exposed_at).toEqual(expect.any(String));
    await boss.client.call(renewChargePointKey, { params: { id: String(id) } });
    expect(await exposed()).toMatchObject({ charge_points: [], counts: { exposed: 0 } });
    expect((await detail(id)).key_exposed_at).toBeNull();
  });

  test('cannot set the password of the device or name a file that no device could reach', async () => {
    const { id } = await register();
    const key = { action: 'ChangeConfiguration', key: 'authorizationkey', value: '00' } as const;
    expect((await change(id, key)).status).toBe(422);
    expect((await change(id, { ...key, key: 'Wifi-Password' })).status).toBe(422);
    expect((await change(id, { action: 'GetDiagnostics', location: 'file:///etc/passwd' })).status).toBe(422);
    const unknown = await boss.client.call(commandDevice, { params: { id: '999999' }, body: { action: 'ClearCache' } });
    expect(unknown.status).toBe(404);
  });
});
