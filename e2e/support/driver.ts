import { expect } from '@playwright/test';
import { demoPassword } from '../../apps/server/src/demo/accounts.ts';
import { createTestClient } from '../../apps/server/src/testing/client.ts';
import { codeSentTo, newPhone } from './sms.ts';

interface Place {
  site: string;
  address: string;
}

/** Creates a driver with one car and no balance that no other test uses; returns the phone number to sign in with. */
export async function newDriver({ site, address }: Place): Promise<string> {
  const client = createTestClient(site);
  const options = { headers: { 'x-forwarded-for': address } };
  const phone_number = newPhone();
  const { terms_version } = (await client.get('/api/settings')).body;
  await client.mutate('POST', '/api/otps', { phone_number, purpose: 'sign_up' }, options);
  const person = { name: 'Дарина Нова', password: demoPassword, phone_number, telegram_id: null, terms_version };
  const otp = await codeSentTo(phone_number);
  const { status } = await client.mutate('POST', '/api/users', { ...person, cars: [{ name: 'Леаф' }], otp }, options);
  expect(status).toBe(200);
  return phone_number;
}
