import { formatPhone } from '../../ui/phone.ts';

/** A number inside a sentence, never broken between two of its groups. */
export function unbroken(phone: string): string {
  return formatPhone(phone).replaceAll(' ', '\u00a0');
}
