import type { Database } from '../platform/database.ts';
import { demoAccounts } from './accounts.ts';

/** The staff account that credits money in the demo; staff cannot credit their own account. */
export async function giverOf(db: Database): Promise<number> {
  const phones = demoAccounts.filter(({ role }) => role === 'Admin').map(({ phone }) => phone);
  const row = await db.selectFrom('users').select('id').where('phone_number', 'in', phones).executeTakeFirstOrThrow();
  return row.id;
}
