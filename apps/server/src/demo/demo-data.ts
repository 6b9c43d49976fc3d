import { isPassword } from '../account/passwords/passwords.ts';
import type { Database } from '../platform/database.ts';
import { demoAccounts, demoPassword } from './accounts.ts';

/** Phones of accounts that the published demo password opens. A real driver may have such a number, but not that password. */
export async function openDemoAccounts(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select(['phone_number', 'password_hash'])
    .where(
      'phone_number',
      'in',
      demoAccounts.map(({ phone }) => phone),
    )
    .where('deleted_at', 'is', null)
    .orderBy('phone_number')
    .execute();
  const open: string[] = [];
  for (const { phone_number, password_hash } of rows) {
    if (await isPassword(demoPassword, password_hash)) open.push(phone_number);
  }
  return open;
}
