import { createHash, randomBytes } from 'node:crypto';
import { openStatuses } from '@fpay/contract/charging';
import { isStaff, knownRole, type Role } from '@fpay/contract/roles';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { type Database, literals } from '../../platform/database.ts';
import type { Session, Sessions, Viewer } from '../../platform/http/session.ts';
import type { Step } from '../../platform/step.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * How long a session lives without a request, and in total. Staff see other people's money, so theirs is short; one
 * without the second factor lasts only long enough to enter it.
 */
const lives = {
  driver: { idleMs: 30 * dayMs, wholeMs: 90 * dayMs },
  staff: { idleMs: 12 * hourMs, wholeMs: 7 * dayMs },
  awaitingCode: { idleMs: 15 * minuteMs, wholeMs: 15 * minuteMs },
} as const;
/** The minimal time between two extensions, because reading must not write a row each time. */
const slideEveryMs = minuteMs;

/** More devices than a person owns. */
const mostListed = 50;

export interface SessionRow {
  id: number;
  ip: string;
  user_agent: string;
  created_at: Date;
  last_seen_at: Date;
}

export interface UserSessions extends Sessions {
  /**
   * Ends every session of a user except one: after a password change a thief is signed out and the owner stays signed
   * in.
   */
  endAll(userId: number, except?: Session | null, within?: Database | Step['db']): Promise<void>;
  /** The sessions of a user that have not ended, the last used first. */
  listOf(userId: number): Promise<SessionRow[]>;
  /** The user of this session has entered the code that a reset password needs. */
  confirmPassword(step: Step, session: Session): Promise<void>;
  /** False when this user has no such session. */
  endOne(step: Step, userId: number, id: number): Promise<boolean>;
  /** Deletes ended sessions; called by the sweep. */
  removeEnded(): Promise<number>;
}

export interface SessionOptions {
  /** Staff need a code after the password; until they enter it, their session has a driver's rights. */
  hasSecondFactor?: boolean;
}

export function createSessions(
  db: Database,
  clock: Clock,
  { hasSecondFactor = false }: SessionOptions = {},
): UserSessions {
  function effectiveRole(role: Role, isConfirmed: boolean): Role {
    return hasSecondFactor && isStaff(role) && !isConfirmed ? 'User' : role;
  }

  function expiry(role: Role, isConfirmed: boolean, createdAt: Date): Date {
    const kind = !isStaff(role) ? 'driver' : effectiveRole(role, isConfirmed) === role ? 'staff' : 'awaitingCode';
    const { idleMs, wholeMs } = lives[kind];
    return new Date(Math.min(clock.now().getTime() + idleMs, createdAt.getTime() + wholeMs));
  }

  // A driver who is charging stays signed in until the charge has ended.
  const hasOpenOperation = sql<boolean>`exists (
    select 1 from operations o where o.user_id = sessions.user_id
      and o.status in (${literals(openStatuses)}))`;

  return {
    async find(token) {
      const now = clock.now();
      const row = await db
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select(['sessions.id', 'sessions.csrf_token', 'sessions.last_seen_at', 'sessions.is_staff_confirmed'])
        .select(['sessions.created_at', 'sessions.user_id', 'users.role'])
        .select(['users.password_reset_at', 'sessions.is_password_confirmed'])
        .where('sessions.token_hash', '=', hashOf(token))
        .where((where) => where.or([where('sessions.expires_at', '>', now), hasOpenOperation]))
        .executeTakeFirst();
      if (!row) return null;
      const role = knownRole(row.role);
      const viewer: Viewer = {
        id: row.user_id,
        role: effectiveRole(role, row.is_staff_confirmed),
        ...(row.password_reset_at && !row.is_password_confirmed && { unconfirmedSince: row.password_reset_at }),
      };
      const isDueForCookie = now.getTime() - row.last_seen_at.getTime() > slideEveryMs;
      if (isDueForCookie) {
        await db
          .updateTable('sessions')
          .set({ last_seen_at: now, expires_at: expiry(role, row.is_staff_confirmed, row.created_at) })
          .where('id', '=', row.id)
          .execute();
      }
      return { session: { ...named(row.id), csrfToken: row.csrf_token, viewer }, isDueForCookie };
    },

    async issue(viewer, device, previous) {
      const token = randomBytes(32).toString('base64url');
      const csrfToken = randomBytes(32).toString('base64url');
      const now = clock.now();
      const id = await db.transaction().execute(async (transaction) => {
        if (previous?.id) await transaction.deleteFrom('sessions').where('id', '=', previous.id).execute();
        const { role } = await transaction
          .selectFrom('users')
          .select('role')
          .where('id', '=', viewer.id)
          .executeTakeFirstOrThrow();
        // A driver's sign-in to an account that turns out to be staff still needs the code.
        const isConfirmed = isStaff(viewer.role);
        const row = await transaction
          .insertInto('sessions')
          .values({
            token_hash: hashOf(token),
            csrf_token: csrfToken,
            user_id: viewer.id,
            is_staff_confirmed: isConfirmed,
            ip: device.ip,
            user_agent: device.userAgent.slice(0, 300),
            created_at: now,
            last_seen_at: now,
            expires_at: expiry(knownRole(role), isConfirmed, now),
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        return row.id;
      });
      return { ...named(id), token, csrfToken, viewer };
    },

    async end(session) {
      if (session.id) await db.deleteFrom('sessions').where('id', '=', session.id).execute();
    },

    async endAll(userId, except = null, within = db) {
      await within
        .deleteFrom('sessions')
        .where('user_id', '=', userId)
        .$if(except !== null, (query) => query.where('id', '!=', except?.id ?? 0))
        .execute();
    },

    listOf(userId) {
      return db
        .selectFrom('sessions')
        .select(['id', 'ip', 'user_agent', 'created_at', 'last_seen_at'])
        .where('user_id', '=', userId)
        .where((where) => where.or([where('expires_at', '>', clock.now()), hasOpenOperation]))
        .orderBy('last_seen_at', 'desc')
        .orderBy('id', 'desc')
        .limit(mostListed)
        .execute();
    },

    async confirmPassword(step, session) {
      await step.db
        .updateTable('sessions')
        .set({ is_password_confirmed: true })
        .where('id', '=', session.id ?? 0)
        .execute();
    },

    async endOne(step, userId, id) {
      const ended = await step.db
        .deleteFrom('sessions')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return ended.numDeletedRows > 0n;
    },

    async removeEnded() {
      const removed = await db
        .deleteFrom('sessions')
        .where('expires_at', '<=', clock.now())
        .where((where) => where.not(hasOpenOperation))
        .executeTakeFirst();
      return Number(removed.numDeletedRows);
    },
  };
}

function named(id: number): { id: number; owner: string } {
  return { id, owner: `session:${id}` };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
