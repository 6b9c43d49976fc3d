import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { v16 } from '@fpay/ocpp';
import { expect, test } from 'vitest';
import { commandPolicies } from './commands/command.ts';
import type { DeviceEvents } from './device/events.ts';
import { createV16 } from './v16/adapter.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const source = fileURLToPath(new URL('..', import.meta.url));
const document = readFileSync(`${root}/docs/ocpp.md`, 'utf8');

/** Message → state, from the table under this heading. */
function listed(heading: string): Record<string, string> {
  const part = document.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = [...part.matchAll(/^\| (\w+) \| (\w+) \| (handled|sent|queued|missing) \|/gm)];
  return Object.fromEntries(rows.map(([, message = '', , state = '']) => [message, state]));
}

/** OCPP 1.6 edition 2, and the security extension. */
const fromChargePoint = [
  ...['Authorize', 'BootNotification', 'DataTransfer', 'DiagnosticsStatusNotification', 'FirmwareStatusNotification'],
  ...['Heartbeat', 'MeterValues', 'StartTransaction', 'StatusNotification', 'StopTransaction'],
  ...['LogStatusNotification', 'SecurityEventNotification', 'SignCertificate', 'SignedFirmwareStatusNotification'],
];
const fromCentralSystem = [
  ...['CancelReservation', 'ChangeAvailability', 'ChangeConfiguration', 'ClearCache', 'ClearChargingProfile'],
  ...['DataTransfer', 'GetCompositeSchedule', 'GetConfiguration', 'GetDiagnostics', 'GetLocalListVersion'],
  ...['RemoteStartTransaction', 'RemoteStopTransaction', 'ReserveNow', 'Reset', 'SendLocalList', 'SetChargingProfile'],
  ...['TriggerMessage', 'UnlockConnector', 'UpdateFirmware'],
  ...['CertificateSigned', 'DeleteCertificate', 'ExtendedTriggerMessage', 'GetInstalledCertificateIds', 'GetLog'],
  ...['InstallCertificate', 'SignedUpdateFirmware'],
];

const states = (names: readonly string[], stateOf: (name: string) => string) =>
  Object.fromEntries(names.map((name) => [name, stateOf(name)]));

test('docs/ocpp.md lists every message of a charge point with what the route table does with it', () => {
  const routes = createV16({} as DeviceEvents, { now: () => new Date() }, { heartbeatIntervalMs: 1_000 });
  const isHandled = (name: string) => routes.has(name);
  expect(listed('From the charge point')).toEqual(
    states(fromChargePoint, (name) => (isHandled(name) ? 'handled' : 'missing')),
  );
  // Every answered message is in the list.
  expect([...routes.keys()].filter((name) => !fromChargePoint.includes(name))).toEqual([]);
});

test('docs/ocpp.md lists every command with its policy and whether the product sends it', () => {
  const code = globSync('**/*.ts', { cwd: source })
    .filter((file) => !/\.test|testing\/|\.proof|commands\/command\.ts/.test(file))
    .map((file) => readFileSync(`${source}/${file}`, 'utf8'))
    .join('\n');
  const isSent = (name: string) =>
    new RegExp(`(?:action:|=)\\s*'${name}'|'${name}',\\s*\\{|v16\\.${name},`).test(
      code.replaceAll(new RegExp(`(?:on\\(|typeof )v16\\.${name},`, 'g'), ''),
    );
  const stateOf = (name: string) =>
    !(name in commandPolicies) || !(name in v16) ? 'missing' : isSent(name) ? 'sent' : 'queued';
  expect(listed('From FPay')).toEqual(states(fromCentralSystem, stateOf));
  expect(Object.keys(commandPolicies).filter((name) => !fromCentralSystem.includes(name))).toEqual([]);
});
