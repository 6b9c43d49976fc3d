import { readFileSync } from 'node:fs';
import { personTexts } from '@fpay/contract/person';
import { Refusal } from '../../platform/refusal.ts';

const common = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# ')),
);

/** Case is ignored, because attackers try both. */
export function isInCommonPasswords(password: string): boolean {
  return common.has(password.toLowerCase());
}

/** `field` is the name of the new password in the call. */
export function refuseCommonPassword(password: string, field: string): void {
  if (!isInCommonPasswords(password)) return;
  throw new Refusal('invalid_input', { fields: { [field]: [personTexts.passwordCommon] } });
}
