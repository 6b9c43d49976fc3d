import type { User } from '@fpay/contract/account';
import { isBlank, isPhone, isShortName, normalizePhone, passwordLength, personTexts } from '@fpay/contract/person';
import type { TextKey } from '../../i18n/text-key.ts';

/** What is being edited. A field that is not here is still covered; one that is may yet say the same as before. */
export interface Draft {
  name?: string;
  phone?: string;
  password?: string;
  icon?: number;
}

export type DraftField = 'name' | 'phone' | 'password';
export type Mistakes = Partial<Record<DraftField, TextKey>>;

type Person = Pick<User, 'name' | 'phone_number' | 'icon'>;

/** As the server wants it: an empty string and 0 mean unchanged. */
export function changesOf({ name, phone, password = '', icon }: Draft, user: Person) {
  const phoneNumber = phone === undefined ? '' : normalizePhone(phone);
  return {
    name: name === undefined || name.trim() === user.name ? '' : name.trim(),
    phone_number: phoneNumber === user.phone_number ? '' : phoneNumber,
    password,
    icon: icon === undefined || icon === user.icon ? 0 : icon,
  };
}

/** A field that was emptied is edited too, though there is nothing in it to send: its mistake is then to be seen. */
export function isEdited(draft: Draft, user: Person): boolean {
  const { name, phone } = draft;
  const isEmptied = [name, phone].some((typed) => typed?.trim() === '');
  return isEmptied || Object.values(changesOf(draft, user)).some(Boolean);
}

export function mistakesIn(draft: Draft, user: Person): Mistakes {
  const { name, phone, password } = draft;
  const changes = changesOf(draft, user);
  const mistakes: Mistakes = {};
  if (name !== undefined && isBlank(name)) mistakes.name = 'account:nameRequired';
  else if (changes.name && !isShortName(changes.name)) mistakes.name = 'account:nameInvalid';
  if (phone !== undefined && changes.phone_number !== '' && !isPhone(phone)) mistakes.phone = 'account:phoneInvalid';
  if (phone?.trim() === '') mistakes.phone = 'account:phoneInvalid';
  if (password && password.length < passwordLength.least) mistakes.password = 'account:passwordShort';
  if (password && password.length > passwordLength.most) mistakes.password = 'account:passwordLong';
  return mistakes;
}

const passwordMistakes: Record<string, TextKey> = {
  [personTexts.passwordLong]: 'account:passwordLong',
  [personTexts.passwordCommon]: 'account:passwordCommon',
};

/** What the server found wrong, by its own name of the field and in its own English words. */
export function mistakesFrom(errors: Record<string, string[]>): Mistakes {
  const mistakes: Mistakes = {};
  if (errors.name) {
    mistakes.name = errors.name.includes(personTexts.nameRequired) ? 'account:nameRequired' : 'account:nameInvalid';
  }
  if (errors.phone_number) mistakes.phone = 'account:phoneInvalid';
  if (errors.password) {
    const found = errors.password.find((text) => Object.hasOwn(passwordMistakes, text));
    mistakes.password = found ? (passwordMistakes[found] ?? 'account:passwordShort') : 'account:passwordShort';
  }
  return mistakes;
}
