import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';

const folder = new URL('.', import.meta.url);

function isEndpoint(exported: unknown): exported is Endpoint {
  return typeof exported === 'object' && exported !== null && 'method' in exported && 'access' in exported;
}

test('every endpoint that a file of the contract declares is in the list that the server and the permission tests use', async () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  expect(files.length).toBeGreaterThan(10);
  const missing: string[] = [];
  for (const file of files) {
    const exported: Record<string, unknown> = await import(new URL(file, folder).href);
    for (const [name, value] of Object.entries(exported)) {
      if (isEndpoint(value) && !endpoints.includes(value)) missing.push(`${file}: ${name}`);
    }
  }
  expect(missing).toEqual([]);
});

/** A driver whose car is charging can still see and stop it, pay and say how it was; everybody can sign in and out. */
const openToDrivers = [
  'GET /api/is-down',
  'GET /api/settings',
  'POST /api/login',
  'POST /api/login/otp',
  'POST /api/login/otps',
  'POST /api/return',
  'DELETE /api/logout',
  'GET /api/user',
  'POST /api/user/language',
  'GET /api/user/transactions/active',
  'GET /api/operation/:id',
  // A part of the operation's page.
  'GET /api/operation/:id/curve',
  'POST /api/operation/stop/:id',
  'POST /api/operation/unlock/:id',
  'GET /api/invoice/:id',
  'POST /api/feedback',
  'POST /api/feedback/allow',
  // An error is reported whenever it happens.
  'POST /api/page-errors',
  'GET /api/negotiate',
];

test('while the service is down, these calls and all calls of staff are open, and no others', () => {
  const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
  const isStaffCall = ({ path }: Endpoint) => path.startsWith('/api/admin/');
  const open = endpoints.filter(({ openInMaintenance }) => openInMaintenance);
  expect(
    open
      .filter((one) => !isStaffCall(one))
      .map(nameOf)
      .sort(),
  ).toEqual(openToDrivers.toSorted());
  expect(endpoints.filter((one) => isStaffCall(one) && !one.openInMaintenance).map(nameOf)).toEqual([]);
});
