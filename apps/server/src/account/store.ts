import { randomInt } from 'node:crypto';
import { guestPhonePrefix } from '@fpay/contract/account';
import type { NewCar } from '@fpay/contract/cars';
import type { Language } from '@fpay/contract/person';
import { knownRole, type Role } from '@fpay/contract/roles';
import type { Clock } from '../platform/clock.ts';
import { type Database, isUniqueViolation } from '../platform/database.ts';
import type { Step, Steps } from '../platform/step.ts';

export interface Credentials {
  id: number;
  role: Role;
  phone: string;
  passwordHash: string | null;
  language: Language;
  telegramId: number | null;
  isTemporary: boolean;
  /** A staff member restored the password by SMS and has not given a second factor by another way since. */
  isSmsRestored: boolean;
}

export interface NewUser {
  name: string;
  phone: string;
  passwordHash: string;
  role?: Role;
  language?: Language;
  termsVersion?: string;
}

/** Users, their cars and the log of what happened to them: the only code that knows these tables. */
export function createUserStore(db: Database, steps: Steps, clock: Clock) {
  const people = (from: Database | Step['db']) =>
    from
      .selectFrom('users')
      .select([
        'id',
        'role',
        'phone_number',
        'password_hash',
        'language',
        'telegram_id',
        'is_temporary',
        'sms_restored_at',
      ])
      .where('deleted_at', 'is', null);

  return {
    async credentials(phone: string): Promise<Credentials | null> {
      const row = await people(db).where('phone_number', '=', phone).executeTakeFirst();
      return row ? credentialsOf(row) : null;
    },

    async find(id: number): Promise<Credentials | null> {
      const row = await people(db).where('id', '=', id).executeTakeFirst();
      return row ? credentialsOf(row) : null;
    },

    /** Until the step ends nobody else changes this user. */
    async lock(step: Step, id: number): Promise<Credentials | null> {
      const row = await people(step.db).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
      return row ? credentialsOf(row) : null;
    },

    async activeCarOf(id: number): Promise<number | null> {
      const row = await db.selectFrom('users').select('active_car_id').where('id', '=', id).executeTakeFirst();
      return row?.active_car_id ?? null;
    },

    async profile(id: number) {
      const [user, cars, operations, party] = await Promise.all([
        db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst(),
        db
          .selectFrom('cars')
          .selectAll()
          .where('user_id', '=', id)
          .where('deleted_at', 'is', null)
          .orderBy('id')
          .execute(),
        db
          .selectFrom('operations')
          .select('id')
          .where('user_id', '=', id)
          .where('status', 'in', ['created', 'pending', 'starting', 'ongoing', 'finishing'])
          .orderBy('id')
          .execute(),
        db
          .selectFrom('party_members')
          .innerJoin('parties', 'parties.id', 'party_members.party_id')
          .select(['parties.name', 'parties.owner_id', 'parties.is_closed'])
          .where('party_members.user_id', '=', id)
          .executeTakeFirst(),
      ]);
      return user ? { user, cars, openOperations: operations.map((row) => row.id), party: party ?? null } : null;
    },

    async add(step: Step, { name, phone, passwordHash, role = 'User', language, termsVersion }: NewUser) {
      const row = await step.db
        .insertInto('users')
        .values({
          name,
          phone_number: phone,
          password_hash: passwordHash,
          role,
          created_at: clock.now(),
          ...(language && { language }),
          ...(termsVersion && { terms_version: termsVersion }),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return row.id;
    },

    /** A guest becomes a registered user without becoming somebody else: operations, open ones too, simply stay theirs. */
    async register(step: Step, guest: number, user: NewUser): Promise<boolean> {
      const updated = await step.db
        .updateTable('users')
        .set({
          name: user.name,
          phone_number: user.phone,
          password_hash: user.passwordHash,
          role: 'User',
          is_temporary: false,
          ...(user.language && { language: user.language }),
          ...(user.termsVersion && { terms_version: user.termsVersion }),
        })
        .where('id', '=', guest)
        .where('is_temporary', '=', true)
        .where('role', '=', 'Guest')
        .where('joined_id', 'is', null)
        .executeTakeFirst();
      return updated.numUpdatedRows > 0n;
    },

    async addGuest(): Promise<number> {
      for (;;) {
        const phone = guestPhonePrefix + String(randomInt(0, 10 ** 10)).padStart(10, '0');
        try {
          return await steps.run(async (step) => {
            const row = await step.db
              .insertInto('users')
              .values({
                name: 'Guest',
                phone_number: phone,
                role: 'Guest',
                is_temporary: true,
                created_at: clock.now(),
              })
              .returning('id')
              .executeTakeFirstOrThrow();
            await this.note(step, row.id, 'user', 'became a guest');
            return row.id;
          });
        } catch (error) {
          // Ten digits rarely meet twice; when they do, draw again.
          if (!isUniqueViolation(error)) throw error;
        }
      }
    },

    async addCar(step: Step, userId: number, { battery, ...car }: NewCar): Promise<number> {
      const row = await step.db
        .insertInto('cars')
        .values({
          user_id: userId,
          ...car,
          battery: battery === null ? null : String(battery),
          created_at: clock.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return row.id;
    },

    async setActiveCar(step: Step, userId: number, car: number | null): Promise<void> {
      await step.db.updateTable('users').set({ active_car_id: car }).where('id', '=', userId).execute();
    },

    async setPassword(step: Step, userId: number, passwordHash: string): Promise<void> {
      await step.db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();
      // Whoever knew the old password may also have made a device trusted with it.
      await step.db.deleteFrom('trusted_devices').where('user_id', '=', userId).execute();
    },

    async markSmsRestored(step: Step, userId: number): Promise<void> {
      await step.db.updateTable('users').set({ sms_restored_at: clock.now() }).where('id', '=', userId).execute();
    },

    /** True when it was marked. */
    async clearSmsRestored(step: Step, userId: number): Promise<boolean> {
      const cleared = await step.db
        .updateTable('users')
        .set({ sms_restored_at: null })
        .where('id', '=', userId)
        .where('sms_restored_at', 'is not', null)
        .executeTakeFirst();
      return cleared.numUpdatedRows > 0n;
    },

    /** `along`: what else happens in the step of a sign-in. */
    async noteSignIn(id: number, text: string, along: (step: Step) => Promise<void> = async () => {}): Promise<void> {
      await steps.run(async (step) => {
        await step.db.updateTable('users').set({ last_login_at: clock.now() }).where('id', '=', id).execute();
        await this.note(step, id, 'user', text);
        await along(step);
      });
    },

    async note(step: Step, userId: number, actor: string, text: string): Promise<void> {
      await step.db.insertInto('user_log').values({ user_id: userId, actor, text, created_at: clock.now() }).execute();
    },

    /** For what was refused: the refused step itself leaves nothing behind. */
    async noteRefused(userId: number, text: string): Promise<void> {
      await steps.run((step) => this.note(step, userId, 'user', text));
    },
  };
}

export type UserStore = ReturnType<typeof createUserStore>;

interface CredentialsRow {
  id: number;
  role: string;
  phone_number: string;
  password_hash: string | null;
  language: string;
  telegram_id: number | null;
  is_temporary: boolean;
  sms_restored_at: Date | null;
}

function credentialsOf(row: CredentialsRow): Credentials {
  return {
    id: row.id,
    role: knownRole(row.role),
    phone: row.phone_number,
    passwordHash: row.password_hash,
    language: row.language as Language,
    telegramId: row.telegram_id,
    isTemporary: row.is_temporary,
    isSmsRestored: row.sms_restored_at !== null,
  };
}
