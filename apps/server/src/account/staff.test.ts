import { can, type Permission, type Role, roles } from '@fpay/contract/roles';
import { expect, test } from 'vitest';
import { givableRoles } from './staff.ts';

const staffRoles: Role[] = ['Analytic', 'Support', 'Operator', 'Admin'];
const given = (staff: Role, user: Role, may = can) =>
  givableRoles({ id: 1, role: staff }, { id: 2, role: user, isTemporary: false }, may);

test('with manage-roles alone a role below the staff is given to a driver and taken back, never a role of staff [ADM-USR-19]', () => {
  // No role of ours has one permission without the other, so here an Admin has manage-roles as well.
  const may = (role: Role, permission: Permission) =>
    can(role, permission) || (role === 'Admin' && permission === 'manage-roles');
  expect(given('Admin', 'Guest', may)).toEqual(['User']);
  expect(given('Admin', 'User', may)).toEqual([]);
  for (const user of ['Analytic', 'Support', 'Operator'] as const) expect(given('Admin', user, may)).toEqual([]);
  const both = (role: Role, permission: Permission) =>
    may(role, permission) || (role === 'Admin' && permission === 'manage-admins');
  expect(given('Admin', 'User', both)).toEqual(['Analytic', 'Support', 'Operator']);
  expect(given('Admin', 'Operator', both)).toEqual(['User', 'Analytic', 'Support']);
});

test('only a SuperAdmin gives roles, each but their own and the one that the user has [ADM-USR-19]', () => {
  expect(given('SuperAdmin', 'User')).toEqual(staffRoles);
  for (const staff of roles.filter((role) => role !== 'SuperAdmin')) expect(given(staff, 'User')).toEqual([]);
  expect(given('SuperAdmin', 'SuperAdmin')).toEqual([]);
});
