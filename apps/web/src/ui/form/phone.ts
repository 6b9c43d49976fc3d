import { languageRecords } from '@fpay/contract/languages';
import { currentLanguage } from '../../i18n/i18n.ts';

/** Almost every number begins with it, so a form has it prefilled. */
export function phonePrefix(): string {
  return languageRecords[currentLanguage()].phonePrefix;
}

/** True when the driver has not typed a number yet. */
export function isBarePrefix(phone: string): boolean {
  return groupings.some(({ code }) => code === phone);
}

/** How numbers of our countries are grouped: the code, then these groups. */
const groupings: { code: string; groups: number[] }[] = [
  { code: '+380', groups: [2, 3, 2, 2] },
  { code: '+48', groups: [3, 3, 3] },
];

/** `+380671234567` → `+380 67 123 45 67`. A number of another country is not grouped. */
export function formatPhone(phone: string): string {
  const known = groupings.find(({ code }) => phone.startsWith(code));
  if (!known) return phone;
  const parts = [known.code];
  let rest = phone.slice(known.code.length);
  for (const size of known.groups) {
    if (!rest) break;
    parts.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return parts.join(' ') + rest;
}

/** The digits and a leading plus of typed or pasted text. */
export function phoneDigits(typed: string): string {
  const digits = typed.replace(/\D/g, '');
  return typed.trimStart().startsWith('+') ? `+${digits}` : digits;
}
