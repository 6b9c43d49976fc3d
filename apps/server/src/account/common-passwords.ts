import { readFileSync } from 'node:fs';
import { personTexts } from '@fpay/contract/person';
import { Refusal } from '../platform/refusal.ts';

const common = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# ')),
);

/** Upper and lower case make no difference: those who guess try both. */
export function isCommonPassword(password: string): boolean {
  return common.has(password.toLowerCase());
}

/** `field` is the name under which the call carries the new password. */
export function refuseCommonPassword(password: string, field: string): void {
  if (!isCommonPassword(password)) return;
  throw new Refusal('invalid_input', { fields: { [field]: [personTexts.passwordCommon] } });
}
