import * as z from 'zod/mini';
import { languages } from './languages.ts';

/** Rules for what people enter about themselves, for pages and server. Pages translate the error texts. */
export const Language = z.enum(languages);
export type Language = z.infer<typeof Language>;

/**
 * Line breaks, NUL, half surrogate pairs and marks that change the writing direction are refused in a name that others
 * see.
 */
const hostile = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

export function isClean(text: string): boolean {
  return !hostile.test(text);
}

/**
 * Format characters, spaces, marks without a letter, and the letters of Hangul and Braille that have no visible glyph.
 */
const invisible = /[\p{Cf}\p{Z}\p{M}\s\u115f\u1160\u2800\u3164\uffa0]/gu;

/** True when the text has no visible character. */
export function isBlank(text: string): boolean {
  return text.replace(invisible, '') === '';
}

/** Rule for names of people and of cars: up to 20 characters and 4 words. */
export function isShortName(text: string): boolean {
  const trimmed = text.trim();
  const length = [...trimmed].length;
  return !isBlank(text) && length <= 20 && trimmed.split(/\s+/).length <= 4 && isClean(trimmed);
}

/** People write numbers with spaces, brackets and dashes; only the plus and the digits count. */
export function normalizePhone(typed: string): string {
  const trimmed = typed.trim();
  return (trimmed.startsWith('+') ? '+' : '') + trimmed.replace(/\D/g, '');
}

/** A plus and 4 to 12 digits. */
export function isPhone(typed: string): boolean {
  return /^\+\d{4,12}$/.test(normalizePhone(typed)) && /^[\d\s()+-]+$/.test(typed);
}

export const personTexts = {
  nameRequired: 'Name is required!',
  nameInvalid: 'Name must be up to 20 characters and 4 words!',
  phoneInvalid: 'Phone number is invalid!',
  passwordShort: 'Password must be at least 8 characters!',
  passwordLong: 'Password must be at most 256 characters!',
  /** Only the server has the list of common passwords. */
  passwordCommon: 'This password is too common',
} as const;

export const passwordLength = { least: 8, most: 256 } as const;

const tidy = z.transform((text: string) => text.trim().replace(/\s+/g, ' '));

export const PersonName = z.pipe(
  z.string(personTexts.nameRequired).check(
    z.refine((text) => !isBlank(text), personTexts.nameRequired),
    z.refine((text) => isBlank(text) || isShortName(text), personTexts.nameInvalid),
  ),
  tidy,
);

export const Phone = z.pipe(
  z.string(personTexts.phoneInvalid).check(z.refine(isPhone, personTexts.phoneInvalid)),
  z.transform(normalizePhone),
);

export const NewPassword = z.string(personTexts.passwordShort).check(
  z.minLength(passwordLength.least, personTexts.passwordShort),
  // Longer passwords are refused before hashing, because argon2 of a megabyte would let an attacker use up the CPU.
  z.maxLength(passwordLength.most, personTexts.passwordLong),
);

/** The six digits that an SMS contains. */
export const OneTimeCode = z.string('The code has 6 digits!').check(z.regex(/^\d{6}$/, 'The code has 6 digits!'));

/** Telegram's ids have at most 52 bits. */
export const TelegramId = z.int().check(z.gte(1), z.lte(2 ** 52));
