import { expect } from '@playwright/test';
import { demoPassword } from '../../apps/server/src/demo/accounts.ts';
import { createTestClient } from '../../apps/server/src/testing/client.ts';
import { people } from './test.ts';

/** A client without a browser that is signed in with the password of the demo; limits count it at the address. */
export async function clientOf(site: string, phone_number: string, address?: string) {
  const client = createTestClient(site, Date.now, address ? { 'x-forwarded-for': address } : {});
  const { status } = await client.mutate('POST', '/api/login', { phone_number, password: demoPassword });
  expect(status).toBe(200);
  return client;
}

/** Staff add money to a balance. The amount is in kopecks. */
export async function giveMoney(site: string, phone: string, amount: number): Promise<void> {
  const staff = await clientOf(site, people.superAdmin);
  const { id: user_id } = (await (await clientOf(site, phone)).get('/api/user')).body;
  const given = await staff.mutate('POST', '/api/admin/users/balance/increase', { user_id, amount });
  expect(given.status).toBeLessThan(300);
}
