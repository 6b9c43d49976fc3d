import type { User } from '@fpay/contract/account';
import { normalizePhone, personTexts } from '@fpay/contract/person';
import { editUser } from '@fpay/contract/profile';
import { type FormErrors, type FormField, schemaErrors, serverErrors } from '../../api/form-errors.ts';

/** What is being edited. A missing field is still masked; a present one may still have its previous value. */
export interface Draft {
  name?: string;
  phone?: string;
  password?: string;
  icon?: number;
}

export type DraftField = 'name' | 'phone' | 'password';
export type ProfileErrors = FormErrors<DraftField>;

type Person = Pick<User, 'name' | 'phone_number' | 'icon'>;

/** In the server's format: an empty string and 0 mean unchanged. */
export function profileChangesOf({ name, phone, password = '', icon }: Draft, user: Person) {
  const phoneNumber = phone === undefined ? '' : normalizePhone(phone);
  return {
    name: name === undefined || name.trim() === user.name ? '' : name.trim(),
    phone_number: phoneNumber === user.phone_number ? '' : phoneNumber,
    password,
    icon: icon === undefined || icon === user.icon ? 0 : icon,
  };
}

/** An emptied field counts as edited although there is nothing to send, so that its error is shown. */
export function isEdited(draft: Draft, user: Person): boolean {
  const { name, phone } = draft;
  const isEmptied = [name, phone].some((typed) => typed?.trim() === '');
  return isEmptied || Object.values(profileChangesOf(draft, user)).some(Boolean);
}

const fields = {
  name: { path: 'name', text: 'account:nameInvalid', texts: { [personTexts.nameRequired]: 'account:nameRequired' } },
  phone: { path: 'phone_number', text: 'account:phoneInvalid' },
  password: {
    path: 'password',
    text: 'account:passwordShort',
    texts: {
      [personTexts.passwordLong]: 'account:passwordLong',
      [personTexts.passwordCommon]: 'account:passwordCommon',
    },
  },
} as const satisfies Record<DraftField, FormField>;

export function checkProfile(draft: Draft, user: Person): ProfileErrors {
  const { name, phone } = draft;
  const changes = profileChangesOf(draft, user);
  // The schema gets the number as typed, because it also checks which characters were used.
  const request = { ...changes, phone_number: changes.phone_number && phone };
  const errors = schemaErrors(editUser.body, request, fields);
  // For the server an empty field is unchanged; for the driver it is a name or a number that cannot be saved.
  if (name?.trim() === '') errors.name = 'account:nameRequired';
  if (phone?.trim() === '') errors.phone = 'account:phoneInvalid';
  return errors;
}

export function profileErrorsFrom(errors: Record<string, string[]>): ProfileErrors {
  return serverErrors(errors, fields);
}
