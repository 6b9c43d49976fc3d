import { parseArgs } from 'node:util';
import { overriddenPayments, paymentRules } from '../payments/nightly/ledger-rules.ts';
import { type AuditHead, auditHead, checkAuditChain } from '../platform/audit-chain.ts';
import type { Database } from '../platform/database.ts';
import { checkLedger, ledgerRules } from '../wallet/check.ts';
import { withDatabase } from './open-network.ts';
import { run, UsageError } from './run.ts';

const usage = `Usage:
  npm run ledger:check [-- --audit-head SEQ:HASH …]
Proves the books of the database at DATABASE_URL, or of the embedded one, and the chain of the audit. --audit-head gives
an end of the chain that was noted earlier, from a line 'audit head' of the server's log. Ends with 1 when something does
not add up.`;

await run(usage, () => {
  const { values } = parseArgs({ options: { 'audit-head': { type: 'string', multiple: true, default: [] } } });
  const heads = values['audit-head'].map(headOf);
  return withDatabase(process.env, (db) => check(db, heads));
});

function headOf(text: string): AuditHead {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined || hash === undefined) throw new UsageError(`${text}: must be SEQ:HASH`);
  return { seq: Number(seq), hash };
}

async function check(db: Database, heads: readonly AuditHead[]): Promise<number> {
  const faults = await checkLedger(db, [...ledgerRules, ...paymentRules]);
  for (const { rule, subject, details } of faults)
    console.log(`${subject}: not true that ${rule}: ${JSON.stringify(details)}`);
  const overridden = await overriddenPayments(db);
  for (const { id, status } of overridden) console.log(`payment ${id}: forced to ${status} by staff, not checked`);
  const broken = await checkAuditChain(db, heads);
  for (const { id, seq, fault } of broken) console.log(`audit ${id ?? '?'} (link ${seq}): ${fault}`);
  const { seq, hash } = await auditHead(db);
  console.log(`The audit has ${seq} records and ends with ${seq}:${hash}.`);
  const count = faults.length + broken.length;
  console.log(count === 0 ? 'The ledger is right.' : `${count} faults.`);
  return count === 0 ? 0 : 1;
}
