import * as z from 'zod/mini';

export const permissions = [
  'use-app',
  'access-account-page',
  'use-balance',
  'have-multiple-operations',
  'access-admin-page',
  'see-stats',
  'monitor-operations',
  'access-operation-log',
  'access-user-log',
  'access-tech-logs',
  'interact-with-stations',
  'manipulate-operations',
  'monitor-users',
  'manage-balances',
  'manipulate-payments',
  'manage-balance-transactions',
  'manage-users',
  'manage-admins',
  'manage-roles',
  'contact-users',
  'manage-app',
  'view-network',
  'manage-network',
  'manage-integrations',
] as const;

export const Permission = z.enum(permissions);
export type Permission = z.infer<typeof Permission>;

const guest = ['use-app'] as const satisfies Permission[];

const user = [
  ...guest,
  'access-account-page',
  'use-balance',
  'have-multiple-operations',
] as const satisfies Permission[];

const analytic = [
  ...user,
  'access-admin-page',
  'see-stats',
  'monitor-operations',
  'access-operation-log',
  'access-user-log',
  'monitor-users',
] as const satisfies Permission[];

const support = [
  ...user,
  'access-admin-page',
  'monitor-operations',
  'access-operation-log',
  'access-user-log',
  'monitor-users',
  'interact-with-stations',
  'manipulate-operations',
  'contact-users',
  'view-network',
] as const satisfies Permission[];

const operator = [
  ...support,
  'access-tech-logs',
  'manipulate-payments',
  'manage-balance-transactions',
] as const satisfies Permission[];

// Support and Operator do not see stats; platform admins do.
const admin = [
  ...operator,
  'manage-balances',
  'manage-users',
  'see-stats',
  'manage-network',
  'manage-integrations',
] as const satisfies Permission[];

const superAdmin = [...admin, 'manage-roles', 'manage-admins', 'manage-app'] as const satisfies Permission[];

/** Which role has which permissions. Every check on the server and in the web uses this table. */
export const permissionsOf = {
  Guest: guest,
  User: user,
  Analytic: analytic,
  Support: support,
  Operator: operator,
  Admin: admin,
  SuperAdmin: superAdmin,
  Banned: [],
} as const satisfies Record<string, readonly Permission[]>;

export type Role = keyof typeof permissionsOf;
export const roles = Object.keys(permissionsOf) as Role[];
export const Role = z.enum(roles as [Role, ...Role[]]);

/** An unknown role has no rights, so that a typing error in a row never grants access. */
export function knownRole(role: string): Role {
  return Object.hasOwn(permissionsOf, role) ? (role as Role) : 'Banned';
}

export function can(role: Role, permission: Permission): boolean {
  return (permissionsOf[role] as readonly Permission[]).includes(permission);
}

/** Staff screens use a second name for one permission. */
const aliases = new Map<string, Permission>([['monitor-charging-operations', 'monitor-operations']]);

export function permissionNamed(name: string): Permission | null {
  return aliases.get(name) ?? permissions.find((permission) => permission === name) ?? null;
}

export function isStaff(role: Role): boolean {
  return can(role, 'access-admin-page');
}
