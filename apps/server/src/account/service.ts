import type { User } from '@fpay/contract/account';
import type { Car } from '@fpay/contract/cars';
import { kopecks } from '@fpay/contract/money';
import type { Language } from '@fpay/contract/person';
import { isStaff, knownRole, permissionsOf } from '@fpay/contract/roles';
import type { Device, Viewer } from '../platform/http/session.ts';
import { addressKey, type RateLimits } from '../platform/rate-limits.ts';
import { Refusal } from '../platform/refusal.ts';
import type { ReturnTokens } from './return-tokens.ts';
import type { UserStore } from './store.ts';

const minuteMs = 60_000;
const limitsOf = {
  guestsPerAddress: { most: 10, windowMs: 60 * minuteMs },
  returnsPerAddress: { most: 20, windowMs: minuteMs },
} as const;

interface Dependencies {
  users: UserStore;
  limits: RateLimits;
  balanceOf: (userId: number) => Promise<number>;
  botUrl: string;
  /** A link to the bot that knows whom it was made for; without a bot only its address is shown. */
  telegramLink?: (userId: number) => string;
  returnTokens: ReturnTokens;
}

export function createAccountService({ users, limits, balanceOf, botUrl, ...parts }: Dependencies) {
  const { telegramLink, returnTokens } = parts;

  return {
    async becomeGuest(device: Device): Promise<Viewer> {
      await limits.take({ key: `guest:address:${addressKey(device.ip)}`, ...limitsOf.guestsPerAddress });
      return { id: await users.addGuest(), role: 'Guest' };
    },

    /** A guest back from the bank, perhaps in another browser. */
    async comeBack(token: string, device: Device): Promise<Viewer> {
      await limits.take({ key: `return:address:${addressKey(device.ip)}`, ...limitsOf.returnsPerAddress });
      const guest = await returnTokens.redeem(token);
      if (guest === null) throw new Refusal('link_expired');
      await users.noteSignIn(guest, `came back from the bank's page, from ${device.ip}`);
      return { id: guest, role: 'Guest' };
    },

    /** `role` is what the session may do, which for staff can be less than what the account could. */
    async user({ id, role }: Viewer): Promise<User> {
      const profile = await users.profile(id);
      if (!profile) throw new Refusal('unauthenticated');
      const { user, cars, openOperations, party } = profile;
      const awaitsCode = isStaff(knownRole(user.role)) && !isStaff(role);
      // A person who has given only the password could otherwise have the code sent to a Telegram of their own.
      const mayLink = !user.is_temporary && !awaitsCode && user.telegram_id === null;
      return {
        id: user.id,
        name: user.name,
        phone_number: user.phone_number,
        icon: user.icon,
        balance: kopecks(await balanceOf(user.id)),
        cars: cars.map(carOf),
        active_car_id: user.active_car_id,
        active_operations: openOperations,
        role,
        permissions: [...permissionsOf[role]],
        party: party && { name: party.name, is_owner: party.owner_id === user.id, is_closed: party.is_closed },
        has_telegram: user.telegram_id !== null,
        telegram_link: telegramLink && mayLink ? telegramLink(user.id) : botUrl,
        is_temporary: user.is_temporary,
        language: user.language as Language,
        ...(awaitsCode && { awaits_code: true }),
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
