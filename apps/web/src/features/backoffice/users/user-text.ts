import type { Role } from '@fpay/contract/roles';
import { isStaff } from '@fpay/contract/roles';
import type { Tone } from '../../../ui/layout/badge.tsx';

const longId = 99_999;

/** Long ids are shortened to their last four digits, which are enough to tell users of one page apart. */
export function shortId(id: number): string {
  return id > longId ? `…${String(id).slice(-4)}` : String(id);
}

export function roleTone(role: Role): Tone {
  if (role === 'Banned') return 'error';
  return isStaff(role) ? 'promo' : 'offline';
}

/** The same in every language, so that staff can search for them. */
export const missing = { name: 'MISSING NAME', phone: 'MISSING NUMBER' } as const;
