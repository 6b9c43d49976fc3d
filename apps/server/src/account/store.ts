import { randomInt } from 'node:crypto';
import { guestPhonePrefix } from '@fpay/contract/account';
import type { NewCar } from '@fpay/contract/cars';
import type { Language } from '@fpay/contract/person';
import { knownRole, type Role } from '@fpay/contract/roles';
import type { Selectable } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { type Database, isUniqueViolation } from '../platform/database.ts';
import type { Cars as CarRow, Users as UserRow } from '../platform/generated/database.ts';
import type { Step, Steps } from '../platform/step.ts';

export interface UserCredentials {
  id: number;
  role: Role;
  phone: string;
  passwordHash: string | null;
  language: Language;
  telegramId: number | null;
  isTemporary: boolean;
  /** A staff member restored the password by SMS and has not entered a second factor in another way since. */
  isSmsRestored: boolean;
  /** Since then the owner of a party knows the password. */
  passwordResetAt: Date | null;
}

export interface NewUser {
  name: string;
  phone: string;
  passwordHash: string;
  role?: Role;
  language?: Language;
  termsVersion?: string;
}

/** A user with what the profile shows. */
export interface StoredProfile {
  user: Selectable<UserRow>;
  cars: Selectable<CarRow>[];
}

/** Users, their cars and their log. Refuses nothing; a phone number that is taken violates a unique index. */
export interface UserStore {
  credentials(phone: string): Promise<UserCredentials | null>;
  find(id: number): Promise<UserCredentials | null>;
  /** No other step changes this user until this one ends. */
  lock(step: Step, id: number): Promise<UserCredentials | null>;
  activeCarOf(id: number): Promise<number | null>;
  profile(id: number): Promise<StoredProfile | null>;
  add(step: Step, user: NewUser): Promise<number>;
  /** A guest becomes a registered user with the same id, so operations, open ones too, stay theirs. */
  register(step: Step, guest: number, user: NewUser): Promise<boolean>;
  addGuest(): Promise<number>;
  addCar(step: Step, userId: number, car: NewCar): Promise<number>;
  setActiveCar(step: Step, userId: number, car: number | null): Promise<void>;
  /** From now on these users pay from this wallet. */
  useWallet(step: Step, users: readonly number[], wallet: number): Promise<void>;
  /** False when there is no such account, or it was deleted. */
  isRegistered(step: Step, id: number): Promise<boolean>;
  rename(step: Step, userId: number, name: string): Promise<void>;
  setLanguage(userId: number, language: Language): Promise<void>;
  /** A password that the user has set; it needs no confirmation. */
  setPassword(step: Step, userId: number, passwordHash: string): Promise<void>;
  /** Somebody else knows the password, until the user sets another one. */
  markPasswordReset(step: Step, userId: number): Promise<void>;
  markSmsRestored(step: Step, userId: number): Promise<void>;
  /** True when it was marked. */
  clearSmsRestored(step: Step, userId: number): Promise<boolean>;
  /** `along` runs in the step of a sign-in. */
  noteSignIn(id: number, text: string, along?: (step: Step) => Promise<void>): Promise<void>;
  note(step: Step, userId: number, actor: string, text: string): Promise<void>;
  /** For refused changes, because the refused step itself writes nothing. */
  noteRefused(userId: number, text: string): Promise<void>;
}

/** Users, their cars and their log: the only code that uses these tables. */
export function createUserStore(db: Database, steps: Steps, clock: Clock): UserStore {
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
        'password_reset_at',
      ])
      .where('deleted_at', 'is', null);

  return {
    async credentials(phone: string): Promise<UserCredentials | null> {
      const row = await people(db).where('phone_number', '=', phone).executeTakeFirst();
      return row ? credentialsOf(row) : null;
    },

    async find(id: number): Promise<UserCredentials | null> {
      const row = await people(db).where('id', '=', id).executeTakeFirst();
      return row ? credentialsOf(row) : null;
    },

    async lock(step: Step, id: number): Promise<UserCredentials | null> {
      const row = await people(step.db).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
      return row ? credentialsOf(row) : null;
    },

    async activeCarOf(id: number): Promise<number | null> {
      const row = await db.selectFrom('users').select('active_car_id').where('id', '=', id).executeTakeFirst();
      return row?.active_car_id ?? null;
    },

    async profile(id: number) {
      const [user, cars] = await Promise.all([
        db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst(),
        db
          .selectFrom('cars')
          .selectAll()
          .where('user_id', '=', id)
          .where('deleted_at', 'is', null)
          .orderBy('id')
          .execute(),
      ]);
      return user ? { user, cars } : null;
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

    async setLanguage(userId: number, language: Language): Promise<void> {
      await db.updateTable('users').set({ language }).where('id', '=', userId).execute();
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
          // Ten digits rarely collide; when they do, another number is drawn.
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

    async useWallet(step: Step, users: readonly number[], wallet: number): Promise<void> {
      await step.db.updateTable('users').set({ wallet_id: wallet }).where('id', 'in', users).execute();
    },

    async isRegistered(step: Step, id: number): Promise<boolean> {
      const row = await step.db.selectFrom('users').select('is_temporary').where('id', '=', id).executeTakeFirst();
      return row?.is_temporary === false;
    },

    async rename(step: Step, userId: number, name: string): Promise<void> {
      await step.db.updateTable('users').set({ name }).where('id', '=', userId).execute();
    },

    async setPassword(step: Step, userId: number, passwordHash: string): Promise<void> {
      await step.db
        .updateTable('users')
        .set({ password_hash: passwordHash, password_reset_at: null })
        .where('id', '=', userId)
        .execute();
      // A person who knew the old password may also have made a device trusted with it.
      await step.db.deleteFrom('trusted_devices').where('user_id', '=', userId).execute();
    },

    async markPasswordReset(step: Step, userId: number): Promise<void> {
      await step.db.updateTable('users').set({ password_reset_at: clock.now() }).where('id', '=', userId).execute();
    },

    async markSmsRestored(step: Step, userId: number): Promise<void> {
      await step.db.updateTable('users').set({ sms_restored_at: clock.now() }).where('id', '=', userId).execute();
    },

    async clearSmsRestored(step: Step, userId: number): Promise<boolean> {
      const cleared = await step.db
        .updateTable('users')
        .set({ sms_restored_at: null })
        .where('id', '=', userId)
        .where('sms_restored_at', 'is not', null)
        .executeTakeFirst();
      return cleared.numUpdatedRows > 0n;
    },

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

    async noteRefused(userId: number, text: string): Promise<void> {
      await steps.run((step) => this.note(step, userId, 'user', text));
    },
  };
}

interface CredentialsRow {
  id: number;
  role: string;
  phone_number: string;
  password_hash: string | null;
  language: Language;
  telegram_id: number | null;
  is_temporary: boolean;
  sms_restored_at: Date | null;
  password_reset_at: Date | null;
}

function credentialsOf(row: CredentialsRow): UserCredentials {
  return {
    id: row.id,
    role: knownRole(row.role),
    phone: row.phone_number,
    passwordHash: row.password_hash,
    language: row.language,
    telegramId: row.telegram_id,
    isTemporary: row.is_temporary,
    isSmsRestored: row.sms_restored_at !== null,
    passwordResetAt: row.password_reset_at,
  };
}
