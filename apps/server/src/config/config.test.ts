import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCommandLine } from './command-line.ts';
import { readConfig } from './config.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'fpay-config-'));
const demo = readCommandLine(['--demo']);
const production = readCommandLine([]);
const good = {
  DATABASE_URL: 'postgres://fpay@db.example/fpay',
  PUBLIC_URL: 'https://fpay.example',
  SECRET: '4f1c9e0b7a6d2835c1e0f9b8a7d64352',
  BANK_URL: 'https://api.bank.example',
  BANK_TOKEN: 'token',
  SMS_URL: 'https://api.sms.example',
  SMS_TOKEN: 'token',
  SELLER_NAME: 'ТОВ «Заряд»',
  SELLER_EDRPOU: '12345678',
  DATA_DIR: dataDir,
};

test('the demo needs no settings, binds loopback and stores its secret', () => {
  const config = readConfig({ DATA_DIR: dataDir }, demo);
  expect(config).toMatchObject({
    mode: 'demo',
    host: '127.0.0.1',
    port: 8080,
    databaseUrl: null,
    roles: ['api', 'gateway', 'worker'],
  });
  expect(readConfig({ DATA_DIR: dataDir }, demo).secret).toBe(config.secret);
  expect(config.secret).toHaveLength(64);
});

test('production reports all missing settings at once', () => {
  expect(() => readConfig({ DATA_DIR: dataDir }, production)).toThrow(
    'The configuration is not right:\n' +
      '  - DATABASE_URL: is required in production\n' +
      '  - PUBLIC_URL: is required in production\n' +
      '  - SECRET: is required in production\n' +
      '  - BANK_URL: is required in production\n' +
      '  - BANK_TOKEN: is required in production\n' +
      '  - SMS_URL: is required in production\n' +
      '  - SMS_TOKEN: is required in production\n' +
      '  - SELLER_NAME: is required in production\n' +
      '  - SELLER_EDRPOU: is required in production',
  );
  expect(readConfig(good, production).databaseUrl).toBe(good.DATABASE_URL);
});

test.each([
  ['PORT', 'eighty', /PORT: must be a port number/],
  ['PORT', '70000', /PORT: must be a port number/],
  ['DATABASE_URL', 'mysql://db', /DATABASE_URL: must be an address starting with postgres:\/\//],
  ['PUBLIC_URL', 'fpay.example', /PUBLIC_URL: must be an address/],
  ['PUBLIC_URL', 'http://fpay.example', /PUBLIC_URL: must be https in production/],
  ['SECRET', 'short', /SECRET: must have at least 32 characters/],
  ['SECRET', 'a'.repeat(32), /SECRET: is easy to guess/],
  ['SECRET', 'changeme'.repeat(4), /SECRET: is easy to guess/],
  ['SECRET', 'abcdefghijklmnop'.repeat(2), /SECRET: is easy to guess/],
  ['BANK_URL', 'http://api.bank.example', /BANK_URL: must be https in production/],
  ['SMS_URL', 'http://10.0.0.5/sms', /SMS_URL: must be https in production/],
  ['TELEGRAM_API_URL', 'http://telegram.example', /TELEGRAM_API_URL: must be https in production/],
  ['BANK_URL', 'http://127.0.0.1.bank.example', /BANK_URL: must be https in production/],
  ['BANK_PROVIDER', 'another', /BANK_PROVIDER: must be one of /],
  ['FORMER_BANK_TOKEN', 'token', /FORMER_BANK_URL: is required when another FORMER_BANK setting is set/],
  ['BANK_TOKEN', 'sandbox-merchant-token', /BANK_TOKEN: is the token of the sandbox/],
  ['SMS_TOKEN', 'sandbox-sms-token', /SMS_TOKEN: is the token of the sandbox/],
  ['TELEGRAM_TOKEN', '7000000001:sandbox-bot-token-0123456789abcdefghi', /TELEGRAM_TOKEN: is the token of the sandbox/],
  ['ALLOW_LEDGER_OWNER', 'maybe', /ALLOW_LEDGER_OWNER: must be yes or no/],
  ['AWAY_HOURS', '200', /AWAY_HOURS: must be a whole number from 1 to 167/],
  ['READINGS_KEPT_MONTHS', '1', /READINGS_KEPT_MONTHS: must be a whole number from 2 to 120/],
  ['READINGS_KEPT_MONTHS', '13 months', /READINGS_KEPT_MONTHS: must be a whole number from 2 to 120/],
  ['MESSAGES_KEPT_DAYS', '0', /MESSAGES_KEPT_DAYS: must be a whole number from 7 to 366/],
  ['BANK_LOG_KEPT_MONTHS', '12', /BANK_LOG_KEPT_MONTHS: must be a whole number from 18 to 240/],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'collector:4318',
    /OTEL_EXPORTER_OTLP_ENDPOINT: must be an address starting with http/,
  ],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5', /OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1/],
  ['FISCAL', 'maybe', /FISCAL: must be on or off/],
  ['LOG_LEVEL', 'loud', /LOG_LEVEL: must be debug, info, warn or error/],
  ['AZURE_WEB_PUBSUB', 'nonsense', /AZURE_WEB_PUBSUB: must be a Web PubSub connection string/],
])('a wrong %s (%s) is reported with an explanation', (name, value, message) => {
  expect(() => readConfig({ ...good, [name]: value }, production)).toThrow(message);
});

test('staff need a second factor in production, not in the demo', () => {
  expect([
    readConfig(good, production).hasSecondFactor,
    readConfig({ DATA_DIR: dataDir }, demo).hasSecondFactor,
  ]).toEqual([true, false]);
  expect(readConfig({ ...good, STAFF_SECOND_FACTOR: 'off' }, production).hasSecondFactor).toBe(false);
});

test('plain http is accepted only on the machine itself, with a warning that names the variable', () => {
  const local = { BANK_URL: 'http://127.0.0.1:8090/bank', SMS_URL: 'http://localhost:8090/sms' };
  expect(readConfig({ ...good, ...local }, production).warnings).toEqual([
    expect.stringMatching(/^BANK_URL: is plain http/),
    expect.stringMatching(/^SMS_URL: is plain http/),
  ]);
  expect([readConfig(good, production).warnings, readConfig({ DATA_DIR: dataDir }, demo).warnings]).toEqual([[], []]);
});

test('the retention of each kind of report is a setting', () => {
  const given = { READINGS_KEPT_MONTHS: '3', NOTICES_KEPT_DAYS: '', MESSAGES_KEPT_DAYS: '14' };
  expect(readConfig({ ...good, ...given }, production).retention).toEqual({
    readingsMonths: 3,
    noticesDays: 90,
    messagesDays: 14,
    anomaliesDays: 90,
    commandsDays: 30,
    bankMonths: 36,
  });
});

test('files of TLS for charge points are named together and tried', () => {
  const withFiles = (files: Record<string, string>) => () => readConfig({ ...good, ...files }, production);
  expect(withFiles({ OCPP_TLS_KEY: 'a.key' })).toThrow(
    'OCPP_TLS_CERT: is required when another OCPP_TLS file is named',
  );
  expect(withFiles({ OCPP_TLS_CERT: 'a.pem' })).toThrow('OCPP_TLS_KEY: is required');
  expect(withFiles({ OCPP_TLS_CLIENT_CA: 'a.pem' })).toThrow('OCPP_TLS_CERT: is required');
  expect(withFiles({ OCPP_TLS_CERT: '/nowhere/a.pem', OCPP_TLS_KEY: '/nowhere/a.key' })).toThrow(
    /OCPP_TLS_CERT, OCPP_TLS_KEY, OCPP_TLS_CLIENT_CA: cannot be used: .*no such file/,
  );
  expect(readConfig(good, production).chargePointTls).toBeNull();
});

test('an empty variable counts as not set', () => {
  expect(readConfig({ ...good, PORT: '' }, production).port).toBe(8080);
});

test('a process runs the given roles and no others', () => {
  expect(readCommandLine(['--roles', 'gateway,worker'])).toEqual({ mode: 'production', roles: ['gateway', 'worker'] });
  expect(() => readCommandLine(['--roles', 'api,cook'])).toThrow(/--roles: cook is not one of api, gateway, worker/);
  expect(() => readCommandLine(['--demmo'])).toThrow(/--demmo: unknown option/);
});
