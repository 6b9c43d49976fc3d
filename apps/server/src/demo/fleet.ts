import { randomBytes } from 'node:crypto';
import { kopecks } from '@fpay/contract/money';
import { hashPassword } from '../account/passwords/passwords.ts';
import type { DemoApp } from './demo-app.ts';
import { giverOf } from './giver.ts';

const phone = '+380500000020';
const cardCount = 60;
/** The deposit of one tap, so that charges of the fleet end by themselves within the hour. */
const depositLimit = 200_00;
const balance = 1_000_000_00;

const cards = Array.from({ length: cardCount }, (_, index) => `DE300000${String(index).padStart(4, '0')}`);

/** The demo's automatic cars charge with cards of this fleet. Returns the cards. */
export async function seedFleet({ platform, features }: DemoApp): Promise<string[]> {
  const { db, steps, clock } = platform;
  const { users } = features.accounts;
  if (await users.credentials(phone)) return cards;
  // A random password, because no person signs in as the fleet.
  const passwordHash = await hashPassword(randomBytes(24).toString('hex'));
  const id = await steps.run(async (step) => {
    const user = await users.add(step, { name: 'Демо-автопарк', phone, passwordHash, role: 'User' });
    const created_at = clock.now();
    const rows = cards.map((id_tag) => ({ user_id: user, id_tag, deposit_limit: depositLimit, created_at }));
    await step.db.insertInto('rfid_cards').values(rows).execute();
    return user;
  });
  const staff = await giverOf(db);
  await features.wallet.staffMoney.increase({ staff, user: id, amount: kopecks(balance), requestKey: 'demo:fleet' });
  return cards;
}
