import type { HistoryRange } from '@fpay/contract/history';

/**
 * Everything that the app keeps of the server's answers: the feature, what it is, and what it depends on. An undeclared
 * key does not compile, so that what is read again or removed is a key that some query has.
 */
type DriverKey =
  | readonly ['account', 'user']
  | readonly ['charging', 'active']
  | readonly ['charging', 'curve', operation: number, version: string]
  | readonly ['charging', 'operation', id: number]
  | readonly ['favourites', 'known']
  | readonly ['history', HistoryRange]
  | readonly ['maintenance', 'state']
  | readonly ['map', 'chunk', ...stations: string[]]
  | readonly ['map', 'promotions']
  | readonly ['map', 'stations', viewer: number | null]
  | readonly ['party', 'data' | 'invitations']
  | readonly ['party', 'operations' | 'stats', filter: object]
  | readonly ['profile', 'notice-channels' | 'sessions']
  | readonly ['rfid', 'data']
  | readonly ['settings']
  | readonly ['stations', 'alert', number: string]
  | readonly ['stations', 'alternatives', number: string, type: string | null]
  | readonly ['stations', 'queue', number: string, connector: number]
  | readonly ['stations', kind: 'real' | 'virtual', 'connectors' | 'station', number: string]
  | readonly ['stats', HistoryRange]
  | readonly ['support', 'threads']
  | readonly ['support', 'thread', id: number]
  | readonly ['wallet', 'cards' | 'last-top-up' | 'transactions'];

/** Of the back office. A message of the server names lists by the beginnings of these keys. */
type StaffKey =
  | readonly ['audit', filter: object]
  | readonly ['balance-preview' | 'reversal-preview', request: object]
  | readonly ['cases', 'counts' | 'staff']
  | readonly ['cases', 'list', filter: object]
  | readonly ['cases', 'one', id: number]
  | readonly ['chargePoint', id: number, 'view']
  | readonly ['chargePoint', id: number, 'messages', direction: string, search: string]
  | readonly ['chargePoints', state: string, search: string]
  | readonly ['commissioning', chargePoint: number]
  | readonly ['feedback', filter: object]
  | readonly ['health', 'anomalies' | 'counters' | 'system' | 'terminator']
  | readonly ['integrations', 'keys' | 'partners' | 'webhooks']
  | readonly ['integrations', 'deliveries', webhook: number]
  | readonly ['money', 'approvals' | 'overview']
  | readonly ['money', 'cases', kind: string]
  | readonly ['network', 'cards', search: string]
  | readonly ['network', 'choices' | 'overview' | 'promotions']
  | readonly ['network', 'parties' | 'tariffs', 'list']
  | readonly ['network', 'parties' | 'tariffs', 'one', id: string]
  | readonly ['network', 'stations', 'list', search: string, isRetired: boolean]
  | readonly ['network', 'stations', 'one', number: string]
  | readonly ['network', 'tariffs', 'preview', terms: object | null, date: string]
  | readonly ['operation', id: number, 'curve' | 'detail' | 'log' | 'notes' | 'timeline']
  | readonly ['operations', 'count', filters: object]
  | readonly ['operations', 'list', request: object]
  | readonly ['page-error', code: string]
  | readonly ['payment', id: number]
  | readonly ['preview', operation: number, request: object | null]
  | readonly ['reasons']
  | readonly ['search', typed: string]
  | readonly ['shutdown']
  | readonly ['sites', 'list']
  | readonly ['sites', id: number]
  | readonly ['stationReport', number: string, days: object]
  | readonly ['stats', 'charts' | 'figures', query: object]
  | readonly ['today']
  | readonly ['user', id: number, 'detail' | 'log' | 'notes' | 'now']
  | readonly ['user', id: number, 'operations', sort: string | null]
  | readonly ['users', count: number, withTemporary: boolean, role: string | null, sort: string | null];

/** A key and its beginnings, which stand for all keys that begin like this. */
type BeginningOf<Key extends readonly unknown[]> = Key extends readonly [...infer Rest, unknown]
  ? Key | BeginningOf<Rest extends readonly unknown[] ? Readonly<Rest> : never>
  : Key extends readonly []
    ? never
    : Key;

export type StaffKeyBeginning = readonly ['backoffice', ...BeginningOf<StaffKey>];

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: BeginningOf<DriverKey> | readonly ['backoffice'] | StaffKeyBeginning;
  }
}
