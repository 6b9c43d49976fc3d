import { type MigrateOptions, migrate, type TableRules } from '../platform/migrate.ts';
import { jobQueues } from './job-queues.ts';

const rules: TableRules = {
  appendOnly: [
    'audit',
    'audit_personal',
    'transfers',
    'party_parts',
    'bank_exchanges',
    'support_notes',
    'unbilled_energy',
  ],
  // What happened with money, and what was logged or checked.
  neverDeleted: [
    'payments',
    'refunds',
    'operation_log',
    'user_log',
    'ledger_checks',
    'staff_approvals',
    'staff_money_out',
  ],
  // No balance changes without a transfer, and no record of the audit without its place in the chain.
  writtenByFunctions: ['accounts', 'transfers', 'party_parts', 'audit_chain', 'audit_head'],
};

/** Brings the database of the product up to date: its migrations, its queues and the rights of its role. */
export function migrateProduct(options: Pick<MigrateOptions, 'url' | 'onApply' | 'schema'>): Promise<void> {
  return migrate({ ...options, queues: jobQueues, rules });
}
