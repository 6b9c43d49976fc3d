import { overriddenPayments, paymentRules } from '../payments/check.ts';
import { openDatabase } from '../platform/database.ts';
import { checkLedger, ledgerRules } from '../wallet/check.ts';

/** `npm run ledger:check`: proves the books of the database at DATABASE_URL. Ends with 1 when something does not add up. */
const url = process.env.DATABASE_URL;
if (!url) {
  console.error('DATABASE_URL: is required, the database whose ledger is to be checked');
  process.exit(2);
}

const { db, close } = openDatabase({ url, poolSize: 2 });
try {
  const faults = await checkLedger(db, [...ledgerRules, ...paymentRules]);
  for (const { rule, subject, details } of faults)
    console.log(`${subject}: not true that ${rule}: ${JSON.stringify(details)}`);
  const overridden = await overriddenPayments(db);
  for (const { id, status } of overridden) console.log(`payment ${id}: forced to ${status} by staff, not checked`);
  console.log(faults.length === 0 ? 'The ledger is right.' : `${faults.length} faults.`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await close();
}
