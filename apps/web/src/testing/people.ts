import type { User } from '@fpay/contract/account';
import { kopecks } from '@fpay/contract/money';
import { permissionsOf, type Role } from '@fpay/contract/roles';
import type { Settings } from '@fpay/contract/settings';

/** A signed-in user; a test sets only the fields that matter. */
export function aUser({ role = 'User', ...rest }: Partial<User> = {}): User {
  return {
    id: 7,
    name: 'Олена Коваль',
    phone_number: '+380671234567',
    icon: 4,
    balance: kopecks(1284_50),
    cars: [],
    active_car_id: null,
    active_operations: [],
    role,
    permissions: [...permissionsOf[role satisfies Role]],
    party: null,
    has_telegram: false,
    telegram_link: 'https://t.me/fpay_bot?start=token',
    is_temporary: false,
    ...rest,
  };
}

export function aGuest(rest: Partial<User> = {}): User {
  return aUser({ role: 'Guest', name: 'Guest', phone_number: 'TMP0000000001', is_temporary: true, ...rest });
}

export const someSettings: Settings = {
  brand: 'Volta',
  domain: 'volta.example',
  support_phone: '+380800000000',
  bot_url: 'https://t.me/volta_bot',
  instruction_url: 'https://volta.example/instruction',
  landing_url: 'https://volta.example/',
  terms_url: 'https://volta.example/terms',
  terms_version: '2026-11',
  saved_cards: 'charge',
  social: [
    { kind: 'telegram', url: 'https://t.me/volta' },
    { kind: 'facebook', url: 'https://facebook.com/volta' },
  ],
  map: { base: { kind: 'offline', url: null, attribution: '', maxZoom: 17, tileSize: 256 }, satellite: null },
  version: '2.9.8',
};
