import { expect, test } from 'vitest';
import { can, isStaff, knownRole, permissionNamed, permissions, permissionsOf, roles } from './roles.ts';

const sorted = (list: readonly string[]) => [...list].sort();
const plus = (base: readonly string[], more: string) => sorted([...base, ...more.split(' ')]);

test('there are eight roles [ROLE-01]', () => {
  expect(roles).toEqual(['Guest', 'User', 'Analytic', 'Support', 'Operator', 'Admin', 'SuperAdmin', 'Banned']);
});

test('all 21 permissions exist under the names of the specification, and three for the network and integrations [ROLE-04]', () => {
  expect(permissions).toEqual(
    (
      'use-app access-account-page use-balance have-multiple-operations access-admin-page see-stats monitor-operations ' +
      'access-operation-log access-user-log access-tech-logs interact-with-stations manipulate-operations monitor-users ' +
      'manage-balances manipulate-payments manage-balance-transactions manage-users manage-admins manage-roles ' +
      'contact-users manage-app view-network manage-network manage-integrations'
    ).split(' '),
  );
});

test('a guest may use the app, a banned user nothing [ROLE-02] [ROLE-05]', () => {
  expect([permissionsOf.Guest, permissionsOf.Banned]).toEqual([['use-app'], []]);
});

test('a user has an account, a balance and several operations at once [ROLE-06]', () => {
  const expected = plus(permissionsOf.Guest, 'access-account-page use-balance have-multiple-operations');
  expect(sorted(permissionsOf.User)).toEqual(expected);
});

test('an analyst sees stats, operations, users and logs, and changes nothing [ROLE-07]', () => {
  const more = 'access-admin-page see-stats monitor-operations access-operation-log access-user-log monitor-users';
  expect(sorted(permissionsOf.Analytic)).toEqual(plus(permissionsOf.User, more));
});

test('support helps drivers and stations and sees the network, without stats [ROLE-08]', () => {
  const more =
    'access-admin-page monitor-operations access-operation-log access-user-log monitor-users interact-with-stations ' +
    'manipulate-operations contact-users view-network';
  expect(sorted(permissionsOf.Support)).toEqual(plus(permissionsOf.User, more));
  expect(can('Support', 'see-stats')).toBe(false);
});

test('an operator also reads technical logs and handles payments [ROLE-09]', () => {
  const more = 'access-tech-logs manipulate-payments manage-balance-transactions';
  expect(sorted(permissionsOf.Operator)).toEqual(plus(permissionsOf.Support, more));
});

test('an admin also manages balances, users, the network and integrations, and works with stats [ROLE-10]', () => {
  const expected = plus(
    permissionsOf.Operator,
    'manage-balances manage-users see-stats manage-network manage-integrations',
  );
  expect(sorted(permissionsOf.Admin)).toEqual(expected);
});

test('a super admin also manages roles, admins and the app [ROLE-11]', () => {
  expect(sorted(permissionsOf.SuperAdmin)).toEqual(plus(permissionsOf.Admin, 'manage-roles manage-admins manage-app'));
});

test('an unknown role becomes Banned, also when its name is a property of every JavaScript object [ROLE-03]', () => {
  expect(['Owner', '', 'admin', 'constructor', '__proto__', 'toString'].map(knownRole)).toEqual(
    Array(6).fill('Banned'),
  );
  expect(knownRole('Support')).toBe('Support');
});

test('monitor-charging-operations is an alias of monitor-operations [ROLE-12]', () => {
  expect(permissionNamed('monitor-charging-operations')).toBe('monitor-operations');
  expect(permissionNamed('monitor-operations')).toBe('monitor-operations');
  expect([permissionNamed('toString'), permissionNamed('fly')]).toEqual([null, null]);
});

test('a user who may open the back office counts as staff', () => {
  expect(roles.filter(isStaff)).toEqual(['Analytic', 'Support', 'Operator', 'Admin', 'SuperAdmin']);
});
