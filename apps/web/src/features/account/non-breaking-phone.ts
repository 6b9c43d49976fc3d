import { formatPhone } from '../../ui/form/phone.ts';

/** A phone number for use in a sentence, without line breaks between its groups. */
export function nonBreaking(phone: string): string {
  return formatPhone(phone).replaceAll(' ', '\u00a0');
}
