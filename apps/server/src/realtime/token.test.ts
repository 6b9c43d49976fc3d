import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { createRevokedTokens } from './revoked-tokens.ts';
import { createHandClock, hubSecret } from './testing/loopback.ts';
import { createTokens } from './token.ts';

const audience = 'https://pay.example/realtime/client/hubs/fpay';
const start = Date.parse('2026-11-15T10:00:00.250Z');

function setUp() {
  const clock = createHandClock(start);
  return { clock, tokens: createTokens({ secret: hubSecret, audience, clock }) };
}

const key = (text: string) => Buffer.from(text);
const claims = { sub: '7', aud: audience, role: ['webpubsub.joinLeaveGroup.user-7'], iat: start / 1000, jti: 'one' };
const sign = (payload: Record<string, unknown>, { alg = 'HS256', by = hubSecret } = {}) =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(key(by));

describe('a token', () => {
  test("has Azure's form: audience, user, one role per group, one minute [LIVE-14]", async () => {
    const { tokens } = setUp();
    expect(decodeJwt(await tokens.mint({ user: 7, groups: ['user-7', 'operation-31'] }))).toEqual({
      aud: audience,
      sub: '7',
      role: ['webpubsub.joinLeaveGroup.user-7', 'webpubsub.joinLeaveGroup.operation-31'],
      iat: start / 1000,
      exp: Math.floor(start / 1000) + 60,
      jti: expect.any(String),
    });
  });

  test('reads back as the rights it was made with', async () => {
    const { tokens } = setUp();
    expect(await tokens.read(await tokens.mint({ user: 7, groups: ['user-7', 'operation-31'] }))).toEqual({
      user: 7,
      groups: new Set(['user-7', 'operation-31']),
      grantedAtMs: start,
      id: expect.any(String),
      expiresAtMs: (Math.floor(start / 1000) + 60) * 1000,
    });
  });

  test('is valid for less than a minute [LIVE-14]', async () => {
    const { tokens, clock } = setUp();
    const token = await tokens.mint({ user: 7, groups: ['user-7'] });
    clock.advance(59_000);
    expect(await tokens.read(token)).not.toBeNull();
    clock.advance(1_000);
    expect(await tokens.read(token)).toBeNull();
  });

  test.each([
    ['another user', 7, ['user-8']],
    ['no group of ours', 7, ['everyone']],
    ['a pattern', 7, ['operation-*']],
    ['a group with a tail', 7, ['operation-31.x']],
    ['no user', 0, ['operation-31']],
    ['very many groups', 7, Array.from({ length: 17 }, (_, index) => `operation-${index + 1}`)],
  ])('is never made for %s [LIVE-14]', async (_what, user, groups) => {
    await expect(setUp().tokens.mint({ user, groups })).rejects.toThrow();
  });

  test('needs a secret as long as its hash', () => {
    expect(() => createTokens({ secret: 'short', audience, clock: createHandClock() })).toThrow(/32 bytes/);
  });
});

describe('a token that is not ours', () => {
  const exp = Math.floor(start / 1000) + 60;
  test.each([
    ['with another signature', () => sign({ ...claims, exp }, { by: 'another secret of at least 32 bytes' })],
    ['for another audience', () => sign({ ...claims, exp, aud: 'https://pay.example/realtime/client/hubs/other' })],
    ['of another algorithm', () => sign({ ...claims, exp }, { alg: 'HS384' })],
    ['without an end', () => sign(claims)],
    ['without a beginning', () => sign({ ...claims, exp, iat: undefined })],
    ['without an id of its own', () => sign({ ...claims, exp, jti: undefined })],
    ['without a user', () => sign({ ...claims, exp, sub: undefined })],
    ['of a user that is no number', () => sign({ ...claims, exp, sub: 'admin' })],
    ['not signed at all', async () => new UnsecuredJWT({ ...claims, exp }).encode()],
    ['empty', async () => ''],
    ['garbage', async () => 'a.b.c'],
  ])('is refused: %s', async (_what, make) => {
    expect(await setUp().tokens.read(await make())).toBeNull();
  });

  test('the same claims with a valid signature are accepted, so only the fault above makes the difference', async () => {
    expect(await setUp().tokens.read(await sign({ ...claims, exp }))).not.toBeNull();
  });

  test('a role wider than a group, or for another user, grants nothing [LIVE-14]', async () => {
    const role = [
      'webpubsub.joinLeaveGroup',
      'webpubsub.sendToGroup',
      'webpubsub.joinLeaveGroup.user-8',
      'webpubsub.joinLeaveGroup.user-7',
    ];
    const pass = await setUp().tokens.read(await sign({ ...claims, exp, role }));
    expect(pass?.groups).toEqual(new Set(['user-7']));
  });

  test('a single role may be given without a list, as Azure allows', async () => {
    const pass = await setUp().tokens.read(await sign({ ...claims, exp, role: 'webpubsub.joinLeaveGroup.user-7' }));
    expect(pass?.groups).toEqual(new Set(['user-7']));
  });
});

describe('a revoked user', () => {
  const passAt = (grantedAtMs: number, user = 7) => ({ user, groups: new Set<string>(), grantedAtMs });

  test('is refused with rights granted before, and accepted with rights granted after', () => {
    const clock = createHandClock(start);
    const sentAway = createRevokedTokens({ clock, keepMs: 120_000 });
    clock.advance(500);
    sentAway.add(7);
    expect(sentAway.covers(passAt(start + 499))).toBe(true);
    expect(sentAway.covers(passAt(start + 500))).toBe(true);
    expect(sentAway.covers(passAt(start + 501))).toBe(false);
    expect(sentAway.covers(passAt(start + 499, 8))).toBe(false);
  });

  test('is not known to a node that has just started, so that node accepts no older token', () => {
    const sentAway = createRevokedTokens({ clock: createHandClock(start), keepMs: 120_000 });
    expect(sentAway.covers(passAt(start - 1))).toBe(true);
    expect(sentAway.covers(passAt(start))).toBe(false);
  });

  test('is forgotten when no earlier token can still be valid', () => {
    const clock = createHandClock(start);
    const sentAway = createRevokedTokens({ clock, keepMs: 120_000 });
    sentAway.add(1);
    sentAway.add(2);
    clock.advance(60_000);
    sentAway.add(1);
    clock.advance(60_000);
    sentAway.add(3);
    expect(sentAway.size()).toBe(2);
    expect(sentAway.covers(passAt(start + 60_000, 1))).toBe(true);
  });
});
