import type { DB } from '../../platform/generated/database.ts';
import { networkReadModels } from './network-read-models.ts';
import { staffReadModels } from './staff-read-models.ts';

/** The migrator owns two tables, so the generated types leave them out. */
export type TableName = keyof DB | 'migrations' | 'schema_files';

/**
 * Which feature owns which table. Only files in the folder of the owner write it; docs/tables.md is generated from this
 * map.
 */
export const tableOwners = {
  accounts: 'wallet',
  api_keys: 'integrations',
  audit: 'platform',
  audit_chain: 'platform',
  audit_head: 'platform',
  audit_personal: 'platform',
  bank_exchanges: 'payments',
  cars: 'account',
  charge_point_anomalies: 'ocpp',
  charge_point_links: 'ocpp',
  charge_point_notices: 'ocpp',
  charge_point_outages: 'ocpp',
  charge_points: 'ocpp',
  commands: 'ocpp',
  device_wishes: 'ocpp',
  commissionings: 'backoffice',
  connectors: 'stations',
  favourite_stations: 'favourites',
  feedback: 'feedback',
  former_contacts: 'account',
  free_alerts: 'free-alerts',
  idle_intervals: 'charging',
  idle_watches: 'charging',
  job_failures: 'platform',
  leases: 'platform',
  ledger_checks: 'wallet',
  links: 'stations',
  maintenance: 'maintenance',
  maintenance_windows: 'stations',
  message_pages: 'ocpp',
  meter_samples: 'ocpp',
  migrations: 'platform',
  money_anomalies: 'payments',
  nodes: 'ocpp',
  notice_channels: 'messages',
  notices: 'messages',
  ocpi_partners: 'integrations',
  ocpp_transactions: 'ocpp',
  operation_curves: 'ocpp',
  operation_log: 'charging',
  operations: 'charging',
  outbox: 'platform',
  page_errors: 'page-errors',
  parties: 'party',
  party_allowances: 'party',
  party_invitations: 'party',
  party_members: 'party',
  party_parts: 'wallet',
  party_stays: 'party',
  payments: 'payments',
  phone_proofs: 'account',
  promotion_authors: 'stations',
  promotion_days: 'stations',
  promotions: 'stations',
  push_keys: 'messages',
  push_subscriptions: 'messages',
  rate_limits: 'platform',
  realtime_tokens_used: 'realtime',
  refunds: 'payments',
  refused_connections: 'ocpp',
  request_nonces: 'platform',
  return_tokens: 'account',
  rfid_cards: 'rfid',
  rfid_requests: 'rfid',
  saved_cards: 'payments',
  schema_files: 'platform',
  sessions: 'account',
  site_fallbacks: 'site-power',
  site_stations: 'site-power',
  site_devices: 'site-power',
  sites: 'site-power',
  station_changes: 'stations',
  station_photos: 'stations',
  staff_approvals: 'platform',
  staff_money_out: 'wallet',
  stations: 'stations',
  stats_changes: 'backoffice',
  stats_days: 'backoffice',
  stats_months: 'backoffice',
  stats_hours: 'backoffice',
  stuck_connectors: 'ocpp',
  support_notes: 'backoffice',
  tariff_changes: 'stations',
  tariffs: 'stations',
  telegram_links_used: 'messages',
  terminations: 'charging',
  transfers: 'wallet',
  trusted_devices: 'account',
  unbilled_energy: 'charging',
  user_log: 'account',
  users: 'account',
  virtual_station_connectors: 'stations',
  wallets: 'wallet',
  webhook_attempts: 'integrations',
  webhook_deliveries: 'integrations',
  webhook_endpoints: 'integrations',
  webhook_events: 'integrations',
} as const satisfies Record<TableName, string>;

export interface ReadModel {
  reads: readonly TableName[];
  why: string;
}

/** Files that may read tables of other features, each with its reason. No file writes another feature's table. */
export const readModels: Record<string, ReadModel> = {
  'account/guests.ts': {
    reads: ['operations', 'transfers', 'wallets'],
    why: 'Two sweeps: guests who left no history, and operations that a request opened for a guest who had just joined.',
  },
  'favourites/feature.ts': {
    reads: ['operations', 'stations'],
    why: 'Favourite and recent stations in one list with their addresses.',
  },
  'free-alerts/store.ts': {
    reads: ['operations', 'users'],
    why: 'A driver who has begun to charge waits no longer, which one statement decides for the whole queue; staff see names.',
  },
  'account/own-data.ts': {
    reads: [
      'favourite_stations',
      'feedback',
      'free_alerts',
      'notice_channels',
      'operations',
      'parties',
      'party_allowances',
      'party_members',
      'payments',
      'push_subscriptions',
      'rfid_cards',
      'rfid_requests',
      'saved_cards',
      'stations',
    ],
    why: 'The export of everything that is kept about a driver; it names the columns that a driver may see.',
  },
  'account/sessions.ts': {
    reads: ['operations'],
    why: 'A driver who is charging stays signed in, which the one read of every request decides.',
  },
  'account/user-log.ts': {
    reads: ['audit', 'audit_personal', 'operation_log', 'operations'],
    why: 'The log of a user for staff: three logs in one order of time.',
  },
  'account/staff.ts': {
    reads: ['party_members'],
    why: 'Staff are in no party, so a member is given no staff role.',
  },
  ...networkReadModels,
  ...staffReadModels,
  'platform/audit-chain.ts': {
    reads: ['users'],
    why: 'Personal values of the audit may only be missing when their account is deleted.',
  },
  'charging/curve.ts': {
    reads: ['meter_samples', 'ocpp_transactions', 'operation_curves'],
    why: 'The readings of one operation over time: the stored curve, or the samples while it is not stored yet.',
  },
  'charging/lifecycle/stray-charges.ts': {
    reads: ['charge_points', 'commands', 'connectors', 'meter_samples', 'ocpp_transactions'],
    why: 'A sweep: one query finds the open transactions that no operation pays for.',
  },
  'charging/limit/slow-readings.ts': {
    reads: ['charge_point_anomalies', 'charge_point_links', 'charge_points'],
    why: 'A sweep: one query finds the connected devices that report less often than they were configured to.',
  },
  'charging/view.ts': {
    reads: ['cars', 'charge_point_links', 'charge_points', 'connectors', 'feedback', 'payments', 'stations'],
    why: 'An operation as its page shows it: status and payment must be of one moment, so it is one query.',
  },
  'charging/watchdog/watchdog.ts': {
    reads: ['charge_points', 'commands', 'connectors', 'meter_samples', 'ocpp_transactions'],
    why: 'A sweep: every rule is a condition over an operation and the state of its device.',
  },
  'messages/notices.ts': {
    reads: ['operations', 'stations', 'users'],
    why: 'A notice names the charge, the station and the language of its recipient.',
  },
  'ocpp/commands/store.ts': {
    reads: ['operations'],
    why: 'Optional commands wait while a planned stop is near, which the statement that claims a command decides.',
  },
  'cli/doctor/database.ts': {
    reads: ['migrations', 'push_keys'],
    why: 'The doctor compares the settings of an operator with what the database has.',
  },
  'ocpp/metering/retention.ts': {
    reads: ['operations'],
    why: 'The nightly job keeps a curve of the readings of every operation that has ended.',
  },
  'ocpp/recovery/stuck-connectors.ts': {
    reads: ['connectors'],
    why: 'A remedy depends on the device, its connector and its transaction at one moment.',
  },
  'ocpp/transactions/transaction-row.ts': {
    reads: ['connectors', 'operations'],
    why: 'A reading is priced by rated power and terms that are read together with the locked transaction.',
  },
  'party/figures-store.ts': {
    reads: ['accounts', 'cars', 'connectors', 'operations', 'stations', 'users'],
    why: 'Members with their balances, statistics and operations of a party for its owner.',
  },
  'party/invitations-store.ts': {
    reads: ['users'],
    why: 'An invitation belongs to the user who has its phone number at the moment of the read.',
  },
  'party/store.ts': {
    reads: ['users'],
    why: 'The sides of a wallet follow from all its users, in the step that moves the money.',
  },
  'party/views.ts': {
    reads: ['users'],
    why: 'A member sees the name and the picture of the owner.',
  },
  'wallet/check.ts': {
    reads: ['parties', 'party_members'],
    why: 'The nightly check compares party money with the members of its party.',
  },
  'wallet/party-parts.ts': {
    reads: ['parties', 'party_members', 'users'],
    why: 'Whether party money may stay in a wallet is decided in the step that moves it.',
  },
  'payments/ledger-rules.ts': {
    reads: ['accounts', 'transfers', 'wallets'],
    why: 'The nightly check compares payments with the ledger.',
  },
  'payments/operation-check.ts': {
    reads: ['accounts', 'operations', 'transfers', 'unbilled_energy'],
    why: 'The nightly check compares operations with their money.',
  },
  'payments/reconciliation.ts': {
    reads: ['transfers'],
    why: 'The nightly comparison of the bank statement with payments and the ledger.',
  },
  'receipts/store.ts': {
    reads: ['cars', 'connectors', 'operations', 'payments', 'refunds', 'stations', 'users'],
    why: 'A receipt shows one charge with its station and its money.',
  },
  'rfid/spendable-balance.ts': {
    reads: ['accounts', 'users'],
    why: 'A tap reads the role and the balance in one statement that also keeps the account from being deleted.',
  },
  'stations/connector-rows.ts': {
    reads: ['charge_points', 'ocpp_transactions', 'operations'],
    why: 'The status of a connector follows from its device, its transaction and its operation, at one moment.',
  },
  'stats/store.ts': {
    reads: ['cars', 'connectors', 'operations', 'payments', 'stations', 'transfers', 'users', 'wallets'],
    why: 'History and sums of a driver.',
  },
  'wallet/staff-limits.ts': {
    reads: ['users'],
    why: 'The limit counts for a user and for the wallet that the user pays from.',
  },
  'wallet/staff-preview.ts': {
    reads: ['users'],
    why: 'A preview names the owner of each wallet that would change.',
  },
  'wallet/store.ts': {
    reads: ['operations', 'stations', 'users'],
    why: 'A wallet is found by its user, who is locked in the same statement so that the account is not deleted meanwhile; its transactions name the station of a charge.',
  },
};
