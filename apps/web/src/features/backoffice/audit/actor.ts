import type { AuditRecord } from '@fpay/contract/admin/audit';
import type { useText } from '../../../i18n/use-text.ts';

/** Who acted. Staff have names; the command line and jobs read as their own kind. */
export function actorOf({ by, staff }: Pick<AuditRecord, 'by' | 'staff'>, text: ReturnType<typeof useText>): string {
  if (by === 'command line') return text('adminAudit:byCommandLine');
  if (by === 'job') return [text('adminAudit:byJob'), staff?.name].filter(Boolean).join(' · ');
  return staff?.name ?? text('adminAudit:system');
}
