import assert from 'node:assert/strict';
import { createSecretKey, randomUUID } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { type Group, mayBeGranted, mostGroups } from './group.ts';
import type { HubClock } from './ports.ts';

/** The token is part of an address, which may be written to some log; it expires too soon to be useful there. */
export const tokenLifeMs = 60_000;

export interface Grant {
  user: number;
  groups: readonly Group[];
  /**
   * When the rights were checked; the current time by default. A caller that checks access and then waits for something
   * should pass it, so that a sign-out in between makes the token worthless.
   */
  asOf?: Date;
}

/** The content of a valid token. */
export interface Pass {
  user: number;
  groups: ReadonlySet<Group>;
  grantedAtMs: number;
  /** The id of this token; it opens one connection. */
  id: string;
  expiresAtMs: number;
}

const joinRole = 'webpubsub.joinLeaveGroup.';

/** Rights in Azure's terms. Never the bare role, which means every group, and never a right to send. */
export function rolesOf({ user, groups }: Grant): string[] {
  assert(Number.isSafeInteger(user) && user > 0, 'a real-time grant needs a user id');
  assert(groups.length <= mostGroups, `a real-time grant of more than ${mostGroups} groups`);
  for (const group of groups) assert(mayBeGranted(group, user), `user ${user} cannot be granted the group ${group}`);
  return groups.map((group) => joinRole + group);
}

export function createTokens({ secret, audience, clock }: { secret: string; audience: string; clock: HubClock }) {
  const key = createSecretKey(Buffer.from(secret));
  assert((key.symmetricKeySize ?? 0) >= 32, 'the real-time secret must have at least 32 bytes, as HS256 asks');

  return {
    async mint(grant: Grant): Promise<string> {
      const role = rolesOf(grant);
      const grantedAt = (grant.asOf ?? clock.now()).getTime() / 1000;
      // `iat` has milliseconds, because a user can be disconnected and return with new rights within one second.
      return new SignJWT({ role, iat: grantedAt, exp: Math.floor(grantedAt) + tokenLifeMs / 1000 })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setAudience(audience)
        .setSubject(String(grant.user))
        .setJti(randomUUID())
        .sign(key);
    },

    /** Null for anything that is not a valid token for this hub. The reason is not disclosed. */
    async read(token: string): Promise<Pass | null> {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ['HS256'],
          audience,
          currentDate: clock.now(),
          requiredClaims: ['exp', 'iat', 'sub', 'jti'],
        });
        return passOf(payload);
      } catch {
        return null;
      }
    },
  };
}

export type Tokens = ReturnType<typeof createTokens>;

/**
 * The token was signed by us, but perhaps by another version of the product, so it is parsed like any input from
 * outside.
 */
function passOf({ sub, iat, exp, jti, role }: JWTPayload & { role?: unknown }): Pass | null {
  const user = Number(sub);
  if (!Number.isSafeInteger(user) || user <= 0 || typeof iat !== 'number' || typeof exp !== 'number') return null;
  if (typeof jti !== 'string' || jti === '' || jti.length > 64) return null;
  const roles = (Array.isArray(role) ? role : [role]).filter((one) => typeof one === 'string');
  const groups = roles.filter((one) => one.startsWith(joinRole)).map((one) => one.slice(joinRole.length));
  return {
    user,
    groups: new Set(groups.filter((group) => mayBeGranted(group, user)).slice(0, mostGroups)),
    grantedAtMs: Math.round(iat * 1000),
    id: jti,
    expiresAtMs: exp * 1000,
  };
}
