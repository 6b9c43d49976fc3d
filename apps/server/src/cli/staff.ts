import { parseArgs } from 'node:util';
import { isStaff } from '@fpay/contract/roles';
import { createUserStore } from '../account/store.ts';
import { systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { createSteps } from '../platform/step.ts';
import { withDatabase } from './open-network.ts';
import { run, UsageError } from './run.ts';

const usage = `Usage:
  npm run staff -- confirm --phone +380…
A staff member who restored the password by SMS gets the second factor by Telegram only. This command allows it by SMS again.
Use it after you have made sure that it was really them.`;

await run(usage, async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { phone: { type: 'string' } } });
  if (positionals.join(' ') !== 'confirm') throw new UsageError('No command given');
  const { phone } = values;
  if (!phone) throw new UsageError('--phone is missing');
  const answer = await withDatabase(process.env, (db) => confirm(db, phone));
  console.log(answer);
  return 0;
});

async function confirm(db: Database, phone: string): Promise<string> {
  const steps = createSteps(db, () => {});
  const users = createUserStore(db, steps, systemClock);
  const user = await users.credentials(phone);
  if (!user || !isStaff(user.role)) throw new UsageError(`${phone} is not the phone number of a staff member`);
  return steps.run(async (step) => {
    if (!(await users.clearSmsRestored(step, user.id))) return `${phone} has nothing to confirm.`;
    await users.note(step, user.id, 'command line', 'confirmed after a restoration by SMS');
    return `${phone} gets the second factor by SMS again.`;
  });
}
