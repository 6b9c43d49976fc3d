import { auditList } from '@fpay/contract/admin/audit';
import { instantOfKyiv } from '../parts/kyiv-time.ts';

export const auditSubjects = [
  'user',
  'operation',
  'payment',
  'transaction',
  'charge-point',
  'station',
  'tariff',
  'promotion',
  'party',
  'site',
  'rfid-card',
  'money-anomaly',
  'api-key',
  'webhook',
  'ocpi-partner',
  'network',
  'service',
  'export',
  'list',
] as const;

/** The filters of the list, as they are typed and as the address has them; empty: no filter. */
export interface AuditAddress {
  /** staff, command line or job. */
  by: string;
  staff: string;
  action: string;
  subject_kind: string;
  subject_id: string;
  from: string;
  to: string;
}

const names = [
  'by',
  'staff',
  'action',
  'subject_kind',
  'subject_id',
  'from',
  'to',
] as const satisfies (keyof AuditAddress)[];

/** A value that is no filter, from an old link or a typing error, is left out. */
export function readAudit(params: URLSearchParams): AuditAddress {
  const address = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as unknown as AuditAddress;
  const { success, error } = auditList.query.safeParse(auditQueryOf(address));
  if (success) return address;
  const wrong = new Set(error.issues.map(({ path }) => path[0]));
  return Object.fromEntries(
    names.map((name) => [name, wrong.has(name) ? '' : address[name]]),
  ) as unknown as AuditAddress;
}

export function writeAudit(address: AuditAddress): URLSearchParams {
  return new URLSearchParams(names.filter((name) => address[name] !== '').map((name) => [name, address[name]]));
}

/** The query of the request. */
export function auditQueryOf({ from, to, ...filters }: AuditAddress): Record<string, string> {
  const instants = { from: instantOfKyiv(from) ?? from, to: instantOfKyiv(to) ?? to };
  return Object.fromEntries(Object.entries({ ...filters, ...instants }).filter(([, value]) => value !== ''));
}

/** The page of what staff acted on; null where it has none. */
export function subjectPage(kind: string, id: string): string | null {
  if (!/^\d+$/.test(id)) return null;
  if (kind === 'user') return `/admin/users/${id}`;
  return kind === 'operation' ? `/admin/operations/${id}` : null;
}
