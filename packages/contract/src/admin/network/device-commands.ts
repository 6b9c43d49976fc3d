import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { noMoney } from '../../staff-money.ts';
import { Id, IdText } from '../../wire.ts';
import { namesPassword } from './device-passwords.ts';

const ById = z.object({ id: IdText });

export const triggeredMessages = [
  'StatusNotification',
  'MeterValues',
  'BootNotification',
  'Heartbeat',
  'DiagnosticsStatusNotification',
  'FirmwareStatusNotification',
] as const;
const ConnectorNumber = z.int().check(z.gte(1), z.lte(100));
const ConfigurationKey = z.string().check(z.trim(), z.minLength(1), z.maxLength(50));

/** What Support may send: nothing that lasts longer than a restart, except the availability. */
export const DeviceCommand = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('TriggerMessage'),
    message: z.enum(triggeredMessages),
    connector: z.optional(ConnectorNumber),
  }),
  z.object({ action: z.literal('Reset'), type: z.enum(['Soft', 'Hard']) }),
  z.object({ action: z.literal('UnlockConnector'), connector: ConnectorNumber }),
  z.object({
    action: z.literal('ChangeAvailability'),
    /** 0 is the whole charge point. */
    connector: z.int().check(z.gte(0), z.lte(100)),
    type: z.enum(['Operative', 'Inoperative']),
  }),
  z.object({ action: z.literal('ClearCache') }),
  /** Without keys the device sends all. */
  z.object({
    action: z.literal('GetConfiguration'),
    key: z.optional(z.array(ConfigurationKey).check(z.minLength(1), z.maxLength(50))),
  }),
]);
export type DeviceCommand = z.infer<typeof DeviceCommand>;

/** Where a device puts or gets a file. */
const FileLocation = z.url({ protocol: /^(ftps?|https?)$/ }).check(z.maxLength(1_000));

/** What changes a device for good, or makes it send files. */
export const DeviceChange = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('ChangeConfiguration'),
    /** A command is stored with its value, so a password is set at the device. */
    key: ConfigurationKey.check(z.refine((key) => !namesPassword(key))),
    value: z.string().check(z.maxLength(500)),
  }),
  z.object({ action: z.literal('GetDiagnostics'), location: FileLocation }),
  z.object({ action: z.literal('UpdateFirmware'), location: FileLocation }),
]);
export type DeviceChange = z.infer<typeof DeviceChange>;

const Ordered = z.object({ command: Id });

export const commandDevice = endpoint({
  method: 'POST',
  path: '/api/admin/network/charge-points/:id/command',
  summary: 'Sends a command; its answer is in the commands of the charge point',
  access: ['access-admin-page', 'view-network', 'interact-with-stations'],
  money: noMoney.stops,
  params: ById,
  body: DeviceCommand,
  reply: Ordered,
  refusals: ['not_found'],
});

export const changeDevice = endpoint({
  method: 'POST',
  path: '/api/admin/network/charge-points/:id/change',
  summary: 'Changes the configuration, or requests diagnostics or a firmware update; the answer is in the commands',
  access: ['access-admin-page', 'manage-network'],
  money: noMoney.network,
  params: ById,
  body: DeviceChange,
  reply: Ordered,
  refusals: ['not_found'],
});
