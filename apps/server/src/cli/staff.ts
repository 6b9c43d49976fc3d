import { parseArgs } from 'node:util';
import { isStaff, knownRole } from '@fpay/contract/roles';
import { appointStaff } from '../account/appoint-staff.ts';
import { createUserStore } from '../account/store.ts';
import { revokeKeys } from '../integrations/api-keys.ts';
import { createAudit } from '../platform/audit.ts';
import { systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { createSteps } from '../platform/step.ts';
import { withDatabase } from './open-network.ts';
import { run, UsageError } from './run.ts';

const usage = `Usage:
  npm run staff -- add --phone +380… --role SuperAdmin
  npm run staff -- confirm --phone +380…
  npm run staff -- approve <id>
'add' gives a staff role (Analytic, Support, Operator, Admin, SuperAdmin) to a user who has signed up. It is for the first
super administrator, who then gives roles in the back office.
A staff member who restored the password by SMS gets the second factor by Telegram only. 'confirm' allows it by SMS again.
Use it after you have made sure that it was really them.
'approve' approves what waits for a second staff member, for a network that has only one. The audit says that it was the
command line. The id is on the page of approvals.`;

const options = { phone: { type: 'string' }, role: { type: 'string' } } as const;

await run(usage, async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const { phone, role } = values;
  const [command, ...more] = positionals;
  if (command === 'approve' && more.length === 1) {
    // Only this command needs all features, which take a second to load.
    const { approveOnCommandLine } = await import('./approve.ts');
    console.log(await approveOnCommandLine(more[0] ?? ''));
    return 0;
  }
  if (more.length > 0 || (command !== 'confirm' && command !== 'add')) throw new UsageError('No command given');
  if (!phone) throw new UsageError('--phone is missing');
  const answer = await withDatabase(process.env, (db) =>
    command === 'add' ? add(db, phone, role ?? '') : confirm(db, phone),
  );
  console.log(answer);
  return 0;
});

async function add(db: Database, phone: string, name: string): Promise<string> {
  const role = knownRole(name);
  if (!isStaff(role)) throw new UsageError(`--role ${name} is not a role of staff`);
  const steps = createSteps(db, () => {});
  const users = createUserStore(db, steps, systemClock);
  const user = await users.credentials(phone);
  if (!user) throw new UsageError(`${phone} has no account; sign up in the app first`);
  if (user.role === 'Banned') throw new UsageError(`${phone} is banned`);
  const audit = createAudit(systemClock);
  const isNew = await steps.run((step) =>
    appointStaff(step, { users, audit, clock: systemClock, revokeKeys }, user.id, role),
  );
  return isNew ? `${phone} is ${role} now and signs in again.` : `${phone} is ${role} already.`;
}

async function confirm(db: Database, phone: string): Promise<string> {
  const steps = createSteps(db, () => {});
  const users = createUserStore(db, steps, systemClock);
  const user = await users.credentials(phone);
  if (!user || !isStaff(user.role)) throw new UsageError(`${phone} is not the phone number of a staff member`);
  return steps.run(async (step) => {
    if (!(await users.clearSmsRestored(step, user.id))) return `${phone} has nothing to confirm.`;
    await users.note(step, user.id, 'command line', 'confirmed after a restoration by SMS');
    await createAudit(systemClock)(step, {
      staff: null,
      by: 'command line',
      action: 'user.confirm-restoration',
      subject: { kind: 'user', id: user.id },
    });
    return `${phone} gets the second factor by SMS again.`;
  });
}
