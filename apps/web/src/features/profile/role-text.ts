import type { Role } from '@fpay/contract/roles';
import type { TextKey } from '../../i18n/text-key.ts';

export const roleText = {
  Guest: 'account:roleGuest',
  User: 'account:roleUser',
  Analytic: 'account:roleAnalytic',
  Support: 'account:roleSupport',
  Operator: 'account:roleOperator',
  Admin: 'account:roleAdmin',
  SuperAdmin: 'account:roleSuperAdmin',
  Banned: 'account:roleBanned',
} as const satisfies Record<Role, TextKey>;
