import * as z from 'zod/mini';
import { ConnectorType } from '../../connectors.ts';
import { endpoint } from '../../endpoint.ts';
import { Watts } from '../../money.ts';
import { noMoney } from '../../staff-money.ts';
import { Id, IdText, Instant } from '../../wire.ts';

const view = ['access-admin-page', 'view-network'] as const;
const manage = ['access-admin-page', 'manage-network'] as const;
const ById = z.object({ id: IdText });

/** The last part of a device's address, so it has no characters that end or change a path; colons do occur. */
export const ChargePointIdentity = z
  .string()
  .check(z.regex(/^[\w*=:+|@.-]{1,48}$/, 'must be 1 to 48 letters, digits or -_.:*=+|@'));

/** Why a device has no connection. `replaced`: a newer connection of the same device took its place. */
export const connectionRefusals = [
  'unknown_identity',
  'wrong_password',
  'no_subprotocol',
  'replaced',
  'no_certificate',
  'foreign_certificate',
  'expired_certificate',
  'other_certificate',
] as const;
const RefusedAttempt = z.object({
  identity: z.string(),
  reason: z.enum(connectionRefusals),
  /** Null for a connection that was replaced. */
  address: z.nullable(z.string()),
  times: z.int(),
  first_at: Instant,
  last_at: Instant,
});
export type RefusedAttempt = z.infer<typeof RefusedAttempt>;

export const chargePointStates = ['all', 'online', 'offline', 'faulted', 'exposed'] as const;
export const chargePointPage = 100;

const ChargePointItem = z.object({
  id: Id,
  identity: z.string(),
  stations: z.array(z.string()),
  is_online: z.boolean(),
  /** When it came online or went offline; null when it has never connected. */
  since: z.nullable(Instant),
  vendor: z.nullable(z.string()),
  model: z.nullable(z.string()),
  firmware_version: z.nullable(z.string()),
  connectors: z.int(),
  /** Connectors that report an error. */
  faulted: z.int(),
  /** Its password was stored in readable form and has not been replaced since. */
  is_key_exposed: z.boolean(),
});
export type ChargePointItem = z.infer<typeof ChargePointItem>;

export const chargePointList = endpoint({
  method: 'GET',
  path: '/api/admin/network/charge-points',
  summary: 'Charge points in the order of their identities',
  access: view,
  query: z.object({
    /** A part of the identity, the model or the number of a station. */
    q: z.optional(z.string().check(z.maxLength(60))),
    state: z.optional(z.enum(chargePointStates)),
    /** The last identity of the page that the caller already has. */
    after: z.optional(z.string().check(z.maxLength(255))),
  }),
  reply: z.object({
    charge_points: z.array(ChargePointItem),
    counts: z.object({ all: z.int(), online: z.int(), offline: z.int(), faulted: z.int(), exposed: z.int() }),
    /** Attempts of identities that are not registered, the latest first. */
    unknown: z.array(RefusedAttempt),
  }),
  openInMaintenance: true,
});

/** What the installer types into the device. The password is in no other answer. */
const Credentials = z.object({ id: Id, identity: z.string(), password: z.string(), address: z.string() });
export type ChargePointCredentials = z.infer<typeof Credentials>;

export const registerChargePoint = endpoint({
  method: 'POST',
  path: '/api/admin/network/charge-points',
  summary: 'Registers a charge point; the answer has its password, which is never shown again',
  access: manage,
  money: noMoney.network,
  body: z.object({ identity: ChargePointIdentity }),
  reply: Credentials,
  refusals: ['charge_point_exists'],
});

export const renewChargePointKey = endpoint({
  method: 'POST',
  path: '/api/admin/network/charge-points/:id/key',
  summary: 'Creates another password; the old one is refused from then on',
  access: manage,
  money: noMoney.network,
  params: ById,
  reply: Credentials,
  refusals: ['not_found'],
});

export const secureChargePoint = endpoint({
  method: 'POST',
  path: '/api/admin/network/charge-points/:id/security',
  summary: 'Whether a charge point needs a certificate to connect; it counts from its next connection on',
  access: manage,
  money: noMoney.network,
  params: ById,
  body: z.object({ needs_certificate: z.boolean() }),
  reply: z.object({ needs_certificate: z.boolean() }),
  refusals: ['not_found', 'client_certificates_off'],
});

const DeviceConnector = z.object({
  id: Id,
  /** Its number on the device. */
  number: z.int(),
  type: ConnectorType,
  power: Watts,
  has_cable: z.boolean(),
  station: z.string(),
  /** As the device reported it; null before its first report. */
  status: z.nullable(z.string()),
  error_code: z.nullable(z.string()),
  status_at: z.nullable(Instant),
  operation: z.nullable(Id),
});

export const deviceOutcomes = ['queued', 'sent', 'answered', 'error', 'timeout', 'offline', 'unknown'] as const;
const DeviceCommandItem = z.object({
  id: Id,
  action: z.string(),
  payload: z.record(z.string(), z.unknown()),
  status: z.enum(deviceOutcomes),
  /** The device's own answer; for an error, its code and description. */
  answer: z.nullable(z.record(z.string(), z.unknown())),
  staff: z.nullable(z.string()),
  created_at: Instant,
  answered_at: z.nullable(Instant),
});
export type DeviceCommandItem = z.infer<typeof DeviceCommandItem>;

export const ChargePointView = z.object({
  id: Id,
  identity: z.string(),
  /** Where the device connects to. */
  address: z.string(),
  /** Security profile 3: it connects only with a certificate, otherwise with its password. */
  needs_certificate: z.boolean(),
  /** Since when its password could be read; null when it could not, or was replaced. */
  key_exposed_at: z.nullable(Instant),
  stations: z.array(z.object({ number: z.string(), address: z.string() })),
  is_online: z.boolean(),
  since: z.nullable(Instant),
  connected_at: z.nullable(Instant),
  last_message_at: z.nullable(Instant),
  vendor: z.nullable(z.string()),
  model: z.nullable(z.string()),
  serial_number: z.nullable(z.string()),
  firmware_version: z.nullable(z.string()),
  booted_at: z.nullable(Instant),
  /** In the last seven days. */
  boots: z.int(),
  /** How far the device's clock is ahead of ours; null when it has reported no time. */
  clock_ahead_ms: z.nullable(z.int()),
  status: z.nullable(z.string()),
  error_code: z.nullable(z.string()),
  connectors: z.array(DeviceConnector),
  configuration: z.object({
    values: z.record(z.string(), z.string()),
    /** Keys that the device refused, with its answer. */
    refused: z.record(z.string(), z.string()),
    needs_reboot: z.array(z.string()),
  }),
  anomalies: z.array(z.object({ kind: z.string(), subject: z.string(), times: z.int(), last_at: Instant })),
  refused: z.array(RefusedAttempt),
  commands: z.array(DeviceCommandItem),
  /** The last report about an upload of diagnostics and about an update of the firmware. */
  diagnostics: z.nullable(z.object({ status: z.string(), at: Instant })),
  firmware: z.nullable(z.object({ status: z.string(), at: Instant })),
});
export type ChargePointView = z.infer<typeof ChargePointView>;

export const chargePointView = endpoint({
  method: 'GET',
  path: '/api/admin/network/charge-points/:id',
  summary: 'One charge point: its connection, connectors, configuration, refused attempts and last commands',
  access: view,
  params: ById,
  reply: ChargePointView,
  refusals: ['not_found'],
  openInMaintenance: true,
});

export const messageDirections = ['all', 'from', 'to'] as const;

export const deviceMessages = endpoint({
  method: 'GET',
  path: '/api/admin/network/charge-points/:id/messages',
  summary: 'Calls and answers of the last seven days, newest first',
  access: view,
  params: ById,
  query: z.object({
    /** A part of a message. */
    q: z.optional(z.string().check(z.maxLength(100))),
    /** Calls from the device, or to it. */
    direction: z.optional(z.enum(messageDirections)),
    before: z.optional(z.string().check(z.regex(/^\d{1,15}-\d{1,16}$/))),
  }),
  reply: z.object({
    messages: z.array(
      z.object({
        /** Unique within the log of one charge point. */
        key: z.string(),
        at: Instant,
        from: z.enum(['device', 'server']),
        action: z.string(),
        call: z.string(),
        answer: z.nullable(z.string()),
        answer_ms: z.nullable(z.int()),
      }),
    ),
    /** Where the next page begins; null at the end of the seven days. */
    next: z.nullable(z.string()),
    /** How far back this page has searched, also when it found nothing. */
    searched_until: z.nullable(Instant),
  }),
  openInMaintenance: true,
});
export type DeviceMessage = z.infer<typeof deviceMessages.reply>['messages'][number];
