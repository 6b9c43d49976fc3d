import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { answerCalls, eventually, type GatewayFixture, startGateway } from '../testing/gateway.ts';
import { textWithoutPasswords, withoutPasswords } from './device-passwords.ts';

let gateway: GatewayFixture;
beforeAll(async () => {
  gateway = await startGateway({ timings: { quietMs: 60_000, settleMs: 20 } });
});
afterAll(() => gateway.stop());

const secret = 'hunter2';
const listed = [
  { key: 'AuthorizationKey', readonly: false, value: `${secret}{}"` },
  { key: 'Vendor_BasicAuthPassword', readonly: false, value: `${secret}-1` },
  { key: 'wifi.psk', readonly: true, value: `${secret}-2` },
  { key: 'CentralSystemURL', readonly: false, value: `wss://CP1:${secret}@csms.test/ocpp` },
  { key: 'HeartbeatInterval', readonly: false, value: '120' },
];

/** Tables of which some row has the text in any column. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select c.oid::regclass::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and has_table_privilege(c.oid, 'select')`.execute(gateway.db);
  const found: string[] = [];
  for (const { name } of rows) {
    const hex = Buffer.from(text).toString('hex');
    const hits = await sql`select 1 from ${sql.raw(name)} as t
      where t::text like ${`%${text}%`} or t::text like ${`%${hex}%`} limit 1`.execute(gateway.db);
    if (hits.rows.length > 0) found.push(name);
  }
  return found;
}

test('field problem 55: a password that a charger lists is stored nowhere, whatever the vendor calls it', async () => {
  const chargePoint = await gateway.addChargePoint();
  const client = await gateway.connect(chargePoint);
  answerCalls(client, (method) =>
    method === 'GetConfiguration' ? { configurationKey: listed } : { status: 'Accepted' },
  );
  await gateway.boot(client);
  const configuration = async () =>
    (await gateway.chargePoint(chargePoint.id)).configuration as { values?: Record<string, string> };
  await eventually(async () => (await configuration()).values !== undefined);
  expect((await configuration()).values).toEqual({
    AuthorizationKey: '***',
    Vendor_BasicAuthPassword: '***',
    'wifi.psk': '***',
    CentralSystemURL: 'wss://***@csms.test/ocpp',
    HeartbeatInterval: '120',
  });
  const sent = { chargePointId: chargePoint.id, action: 'GetConfiguration', payload: {} } as const;
  const outcome = await gateway.commands.send(sent);
  expect(outcome).toMatchObject({ status: 'answered' });
  expect(JSON.stringify(outcome)).not.toContain(secret);
  expect(await tablesWith('GetConfiguration')).toContain('commands');
  expect(await tablesWith(secret)).toEqual([]);
});

test('a key without a value, and one that only sounds like a password, stay as they are', () => {
  const keys = [
    { key: 'AuthorizationKey' },
    { key: 'AuthorizationKey', value: '' },
    { key: 'LocalAuthListEnabled', value: 'true' },
  ];
  expect(withoutPasswords('GetConfiguration', { configurationKey: keys })).toEqual({ configurationKey: keys });
  expect(withoutPasswords('Reset', { status: 'Accepted' })).toEqual({ status: 'Accepted' });
});

test('a frame keeps its form and loses its passwords', () => {
  const clean = (items: string) => textWithoutPasswords(`[3,"1",{"configurationKey":[${items}]}]`);
  const framed = (items: string) => `[3,"1",{"configurationKey":[${items}]}]`;
  for (const [before, after] of [
    [
      '{"key":"A","value":"1"},{"value":"ff","key":"authorizationkey"}',
      '{"key":"A","value":"1"},{"value":"***","key":"authorizationkey"}',
    ],
    ['{"key":"AuthorizationKey","value":"a{b}\\"c"}', '{"key":"AuthorizationKey","value":"***"}'],
    ['{"key":"Authorization\\u004bey","value": 12345678 }', '{"key":"Authorization\\u004bey","value": "***" }'],
    ['{"key":"FTP Password","readonly":false,"value":"x"}', '{"key":"FTP Password","readonly":false,"value":"***"}'],
    ['{"key":"Url","value":"wss://a:b@c/d"}', '{"key":"Url","value":"wss://***@c/d"}'],
    ['{"key":"Url","value":"wss://c/d"}', '{"key":"Url","value":"wss://c/d"}'],
  ] as const) {
    expect(clean(before)).toBe(framed(after));
  }
  const set = '[2,"1","ChangeConfiguration",{"key":"AuthorizationKey","value":"00\\"ff"}]';
  expect(textWithoutPasswords(set)).toBe('[2,"1","ChangeConfiguration",{"key":"AuthorizationKey","value":"***"}]');
});

test('the migration removes stored passwords and marks the charge points whose key was readable', async () => {
  const database = await testDatabase();
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  try {
    await owner.query('alter table charge_points drop column key_exposed_at');
    const point = async (identity: string, values: object) => {
      const { rows } = await owner.query(
        `insert into charge_points (identity, key_hash, created_at, configuration) values ($1, '\\x00', now(), $2) returning id`,
        [identity, JSON.stringify({ configuredFor: 'V / M / 1', values })],
      );
      return rows[0].id as string;
    };
    await point('BOOTED', { AuthorizationKey: secret, HeartbeatInterval: '120' });
    const asked = await point('ASKED', { HeartbeatInterval: '120' });
    const set = await point('SET', {});
    const fine = await point('FINE', { AuthorizationKey: '', Url: 'wss://csms.test/ocpp' });
    const command = (id: string, action: string, payload: object, answer: object | null) =>
      owner.query(
        `insert into commands (charge_point_id, action, payload, status, answer, created_at)
          values ($1, $2, $3, 'answered', $4, now())`,
        [id, action, JSON.stringify(payload), answer && JSON.stringify(answer)],
      );
    await command(asked, 'GetConfiguration', {}, { configurationKey: [...listed, { key: 'AuthorizationKey' }] });
    await command(set, 'ChangeConfiguration', { key: 'Wifi-Password', value: secret }, { status: 'Accepted' });
    await command(fine, 'ChangeConfiguration', { key: 'HeartbeatInterval', value: '60' }, { status: 'Accepted' });
    for (const frame of [`{"key":"Wifi_Password","value":"${secret}"}`, '{"key":"HeartbeatInterval"}'])
      await owner.query(
        'insert into message_pages (charge_point_id, began_at, ended_at, frames) values ($1, now(), now(), $2)',
        [fine, Buffer.from(`[3,"1",{"configurationKey":[${frame}]}]`)],
      );
    await owner.query(
      readFileSync(new URL('../../../migrations/0054-device-keys-hidden.sql', import.meta.url), 'utf8'),
    );
    const { rows } = await owner.query(
      'select identity, key_exposed_at is not null as exposed, configuration from charge_points order by id',
    );
    expect(rows.map(({ identity, exposed }) => [identity, exposed])).toEqual([
      ['BOOTED', true],
      ['ASKED', true],
      ['SET', true],
      ['FINE', false],
    ]);
    expect(rows[0].configuration).toEqual({
      configuredFor: 'V / M / 1',
      values: { AuthorizationKey: '***', HeartbeatInterval: '120' },
    });
    const commands = await owner.query('select payload, answer from commands order by id');
    expect(commands.rows[0].answer.configurationKey).toEqual([
      { key: 'AuthorizationKey', readonly: false, value: '***' },
      { key: 'Vendor_BasicAuthPassword', readonly: false, value: '***' },
      { key: 'wifi.psk', readonly: true, value: '***' },
      { key: 'CentralSystemURL', readonly: false, value: 'wss://***@csms.test/ocpp' },
      { key: 'HeartbeatInterval', readonly: false, value: '120' },
      { key: 'AuthorizationKey' },
    ]);
    expect(commands.rows[1].payload).toEqual({ key: 'Wifi-Password', value: '***' });
    expect(commands.rows[2].payload).toEqual({ key: 'HeartbeatInterval', value: '60' });
    expect((await owner.query('select count(*)::int as pages from message_pages')).rows[0].pages).toBe(1);
  } finally {
    await owner.end();
    await database.drop();
  }
});
