import { overriddenPayments, paymentRules } from '../payments/ledger-rules.ts';
import type { Database } from '../platform/database.ts';
import { checkLedger, ledgerRules } from '../wallet/check.ts';
import { withDatabase } from './open-network.ts';
import { run } from './run.ts';

const usage = `Usage:
  npm run ledger:check
Proves the books of the database at DATABASE_URL, or of the embedded one. Ends with 1 when something does not add up.`;

await run(usage, () => withDatabase(process.env, check));

async function check(db: Database): Promise<number> {
  const faults = await checkLedger(db, [...ledgerRules, ...paymentRules]);
  for (const { rule, subject, details } of faults)
    console.log(`${subject}: not true that ${rule}: ${JSON.stringify(details)}`);
  const overridden = await overriddenPayments(db);
  for (const { id, status } of overridden) console.log(`payment ${id}: forced to ${status} by staff, not checked`);
  console.log(faults.length === 0 ? 'The ledger is right.' : `${faults.length} faults.`);
  return faults.length === 0 ? 0 : 1;
}
