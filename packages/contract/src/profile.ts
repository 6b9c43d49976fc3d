import * as z from 'zod/mini';
import { User } from './account.ts';
import { EditedCar, mostCars, NewCar } from './cars.ts';
import { endpoint } from './endpoint.ts';
import { isBlank, isPhone, isShortName, Language, normalizePhone, passwordLength, personTexts } from './person.ts';
import { Id, IdText, Instant } from './wire.ts';

const ById = z.object({ id: IdText });

/** In every field of an edit, the empty string means unchanged. */
const UnchangedName = z.pipe(
  z.string().check(
    z.refine((text) => text === '' || !isBlank(text), personTexts.nameRequired),
    z.refine((text) => isBlank(text) || isShortName(text), personTexts.nameInvalid),
  ),
  z.transform((text: string) => text.trim().replace(/\s+/g, ' ')),
);
const UnchangedPhone = z.pipe(
  z.string().check(z.refine((text) => text === '' || isPhone(text), personTexts.phoneInvalid)),
  z.transform(normalizePhone),
);
const UnchangedPassword = z.string().check(
  z.refine((text) => text === '' || text.length >= passwordLength.least, personTexts.passwordShort),
  z.maxLength(passwordLength.most, personTexts.passwordLong),
);
const UnchangedId = z.union([z.literal(0), Id]);
const CurrentPassword = z.string().check(z.maxLength(passwordLength.most));

export const editUser = endpoint({
  method: 'PATCH',
  path: '/api/user/:id',
  summary: "Change one's own account, all or nothing; an empty string or 0 means unchanged",
  access: ['access-account-page'],
  params: ById,
  body: z.object({
    name: z._default(UnchangedName, ''),
    phone_number: z._default(UnchangedPhone, ''),
    password: z._default(UnchangedPassword, ''),
    icon: z._default(z.int().check(z.gte(0, 'Icon is invalid!'), z.lte(6, 'Icon is invalid!')), 0),
    active_car: z._default(UnchangedId, 0),
    added_cars: z._default(z.array(NewCar).check(z.maxLength(mostCars)), []),
    edited_cars: z._default(z.array(EditedCar).check(z.maxLength(mostCars)), []),
    deleted_cars: z._default(z.array(Id).check(z.maxLength(mostCars)), []),
    language: z.optional(Language),
    /** Required for a new phone or password. */
    current_password: z._default(CurrentPassword, ''),
    /** Required for a new phone, unless it was already verified by `POST /api/otp`. */
    otp: z._default(z.string().check(z.regex(/^(\d{6})?$/, 'The code has 6 digits!')), ''),
  }),
  reply: User,
  refusals: [
    'not_your_account',
    'proof_required',
    'wrong_password',
    'wrong_code',
    'user_exists',
    'car_not_found',
    'too_many_cars',
    'second_factor_required',
    'too_many_attempts',
  ],
});

const Rows = z.array(z.record(z.string(), z.unknown()));

export const downloadData = endpoint({
  method: 'GET',
  path: '/api/user/data',
  summary: 'Everything the network keeps about the caller, as one JSON file',
  access: ['access-account-page'],
  reply: z.object({
    made_at: Instant,
    user: z.record(z.string(), z.unknown()),
    cars: Rows,
    operations: Rows,
    payments: Rows,
    balance_transactions: Rows,
    feedback: Rows,
    /** Numbers are masked, because the whole number of a card can start charges. */
    rfid_cards: Rows,
    rfid_requests: Rows,
    /** Numbers are masked, and the bank's tokens are left out. */
    saved_cards: Rows,
    favourite_stations: Rows,
    free_alerts: Rows,
    /** By which ways the driver gets notices; empty while the usual ones hold. */
    notice_channels: Rows,
    push_subscriptions: Rows,
    party: Rows,
    sessions: Rows,
    log: Rows,
  }),
  refusals: ['too_many_attempts'],
});

export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/api/user/:id',
  summary: 'Delete the account: name, phone and cars are forgotten, history stays without them',
  access: ['access-account-page'],
  params: ById,
  body: z.object({ current_password: CurrentPassword.check(z.minLength(1)) }),
  refusals: [
    'not_your_account',
    'wrong_password',
    'account_has_operations',
    'account_has_debt',
    'account_has_balance',
    'account_has_party',
    'account_is_staff',
    'too_many_attempts',
  ],
});

export const userLog = endpoint({
  method: 'GET',
  path: '/api/admin/logs/user/:id',
  summary: 'What happened to a user, line by line, with what staff did',
  access: ['access-admin-page', 'access-user-log'],
  params: ById,
  produces: 'text/plain',
  refusals: ['user_not_found'],
});
