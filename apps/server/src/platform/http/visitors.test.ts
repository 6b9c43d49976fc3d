import { expect, test } from 'vitest';
import { createVisitors } from './visitors.ts';

let now = new Date('2026-11-15T10:00:00Z');
const clock = { now: () => now };
const visitors = createVisitors({ secret: 'the secret of this server', clock });

test('a visitor is identified by the signed cookie alone, with the same token each time', () => {
  const { token, csrfToken, owner } = visitors.issue();
  expect(visitors.find(token)).toEqual({ id: null, owner, csrfToken, viewer: null });
  expect(csrfToken).toMatch(/^[\w-]{43}$/);
});

test('two visitors share neither the name nor the token', () => {
  const [one, other] = [visitors.issue(), visitors.issue()];
  expect(one.owner).not.toBe(other.owner);
  expect(one.csrfToken).not.toBe(other.csrfToken);
});

test('a changed, forged or foreign cookie is unknown', () => {
  const { token, csrfToken } = visitors.issue();
  const [kind, id, expiry, mac] = token.split('.');
  const foreign = createVisitors({ secret: 'the secret of another server', clock }).issue().token;
  const longer = [kind, id, 'zzzzzzzz', mac].join('.');
  for (const forged of [
    foreign,
    longer,
    `${token}x`,
    `v.${id}.${expiry}.${csrfToken}`,
    'v..',
    'v.',
    '',
    'x'.repeat(43),
  ])
    expect([forged, visitors.find(forged)]).toEqual([forged, null]);
});

test('a visitor is forgotten after a day', () => {
  const { token } = visitors.issue();
  now = new Date(now.getTime() + 24 * 60 * 60_000 - 1);
  expect(visitors.find(token)).not.toBeNull();
  now = new Date(now.getTime() + 1);
  expect(visitors.find(token)).toBeNull();
});
