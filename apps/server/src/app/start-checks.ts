import type { Config } from '../config/config.ts';
import { openDemoAccounts } from '../demo/demo-data.ts';
import type { Database } from '../platform/database.ts';
import { ownedLedgerTables } from '../platform/ledger-owner.ts';

export interface StartChecks {
  /** Reasons for which the server must not start. */
  problems: string[];
  /** Warnings for the operator; the server starts. */
  warnings: string[];
}

/** Checks the database itself. Only production refuses to start; the demo only warns. */
export async function checkDatabase(
  { mode, allowsLedgerOwner, warnings }: Pick<Config, 'mode' | 'allowsLedgerOwner' | 'warnings'>,
  db: Database,
): Promise<StartChecks> {
  const checks: StartChecks = { problems: [], warnings: [...warnings] };
  const owned = await ownedLedgerTables(db);
  if (owned.length > 0) {
    const isRefused = mode === 'production' && !allowsLedgerOwner;
    (isRefused ? checks.problems : checks.warnings).push(
      `DATABASE_URL: its role owns ${owned.join(', ')}, so no rule of the database protects the ledger from it. ` +
        'Use the role fpay_app there and the owner in MIGRATION_DATABASE_URL, or set ALLOW_LEDGER_OWNER=yes.',
    );
  }
  if (mode === 'production') {
    const phones = await openDemoAccounts(db);
    if (phones.length > 0) {
      checks.problems.push(
        `DATABASE_URL: the database has demo accounts with the demo password (${phones.join(', ')}). ` +
          'Production needs a database of its own.',
      );
    }
  }
  return checks;
}
