import type { User } from '@fpay/contract/account';
import type { Car } from '@fpay/contract/cars';
import { kopecks } from '@fpay/contract/money';
import type { Language } from '@fpay/contract/person';
import { isStaff, knownRole, permissionsOf } from '@fpay/contract/roles';
import type { PartyStore } from '../party/store.ts';
import type { Device, Viewer } from '../platform/http/session.ts';
import { addressKey, type RateLimits } from '../platform/rate-limits.ts';
import { Refusal } from '../platform/refusal.ts';
import type { ReturnTokens } from './guests/return-tokens.ts';
import type { UserStore } from './store.ts';

const minuteMs = 60_000;
const limitsOf = {
  guestsPerAddress: { most: 10, windowMs: 60 * minuteMs },
  returnsPerAddress: { most: 20, windowMs: minuteMs },
} as const;

interface Dependencies {
  users: UserStore;
  limits: RateLimits;
  openOperationsOf: (userId: number) => Promise<{ id: number }[]>;
  parties: Pick<PartyStore, 'ofUser'>;
  balanceOf: (userId: number) => Promise<number>;
  botUrl: string;
  /** A one-time link to the bot for one user; without a bot only its address is shown. */
  telegramLink?: (userId: number) => string;
  returnTokens: ReturnTokens;
}

export function createAccountService({ users, limits, openOperationsOf, parties, balanceOf, ...parts }: Dependencies) {
  const { botUrl, telegramLink, returnTokens } = parts;

  return {
    async becomeGuest(device: Device): Promise<Viewer> {
      await limits.take({ key: `guest:address:${addressKey(device.ip)}`, ...limitsOf.guestsPerAddress });
      return { id: await users.addGuest(), role: 'Guest' };
    },

    /** A guest who returns from the bank, perhaps in another browser. */
    async comeBack(token: string, device: Device): Promise<Viewer> {
      await limits.take({ key: `return:address:${addressKey(device.ip)}`, ...limitsOf.returnsPerAddress });
      const guest = await returnTokens.redeem(token);
      if (guest === null) throw new Refusal('link_expired');
      await users.noteSignIn(guest, `came back from the bank's page, from ${device.ip}`);
      return { id: guest, role: 'Guest' };
    },

    /** Receipts, SMS and the bot use it. */
    storeLanguage: (userId: number, language: Language): Promise<void> => users.setLanguage(userId, language),

    /** `role` is what the session may do, which for staff can be less than what the account may do. */
    async user({ id, role, unconfirmedSince }: Viewer): Promise<User> {
      const [profile, openOperations, party] = await Promise.all([
        users.profile(id),
        openOperationsOf(id),
        parties.ofUser(id),
      ]);
      if (!profile) throw new Refusal('unauthenticated');
      const { user, cars } = profile;
      const awaitsCode = isStaff(knownRole(user.role)) && !isStaff(role);
      // A person with only the password could otherwise have the code sent to their own Telegram.
      const mayLink = !user.is_temporary && !awaitsCode && !unconfirmedSince && user.telegram_id === null;
      return {
        id: user.id,
        name: user.name,
        phone_number: user.phone_number,
        icon: user.icon,
        balance: kopecks(await balanceOf(user.id)),
        cars: cars.map(carOf),
        active_car_id: user.active_car_id,
        active_operations: openOperations.map((operation) => operation.id),
        role,
        permissions: [...permissionsOf[role]],
        party: party && { name: party.name, is_owner: party.ownerId === user.id, is_closed: party.isClosed },
        has_telegram: user.telegram_id !== null,
        telegram_link: telegramLink && mayLink ? telegramLink(user.id) : botUrl,
        is_temporary: user.is_temporary,
        language: user.language,
        ...(awaitsCode && { awaits_code: true }),
        ...(unconfirmedSince && { needs_confirmation: true }),
      };
    },
  };
}

export type AccountService = ReturnType<typeof createAccountService>;

interface CarRow {
  id: number;
  name: string;
  battery: string | null;
  manufacturer: string | null;
  model: string | null;
  plate: string | null;
  vin: string | null;
}

function carOf({ id, name, battery, manufacturer, model, plate, vin }: CarRow): Car {
  return { id, name, battery: battery === null ? null : Number(battery), manufacturer, model, plate, vin, year: null };
}
