import { approvalKinds } from '@fpay/contract/admin/approvals';
import { roles } from '@fpay/contract/roles';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { staffRulesPage } from '../testing/staff-rules-page.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('docs/staff-rules.md has the roles, limits, approvals, ties and calls of the code [ADM-OP-30] [ADM-OP-31]', async () => {
  const { approvals } = server.features;
  const page = staffRulesPage({ limit: server.config.money.staffLimit, kindsOf: approvals.kindsOf });
  await expect(page).toMatchFileSnapshot('../../../../docs/staff-rules.md');
});

test('each kind that waits can be approved by some role, and the page names no other kind', () => {
  const known = new Set(roles.flatMap((role) => server.features.approvals.kindsOf(role)));
  expect([...known].sort()).toEqual([...approvalKinds].sort());
});
