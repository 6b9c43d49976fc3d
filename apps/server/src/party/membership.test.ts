import { expect, test } from 'vitest';
import { areOnOneSide, isVisible, type Side } from './membership.ts';

test.each<[closedPartyId: Side, viewer: Side, visible: boolean]>([
  [null, null, true],
  [null, 7, true],
  [7, 7, true],
  [7, null, false],
  [7, 8, false],
])('a station of closed party %s is visible to a viewer inside party %s: %s [PARTY-17]', (station, viewer, visible) => {
  expect(isVisible(station, viewer)).toBe(visible);
});

test.each<[sides: Side[], one: boolean]>([
  [[], true],
  [[null], true],
  [[null, null], true],
  [[7, 7], true],
  [[7, null], false],
  [[7, 8], false],
  [[null, 7, 7], false],
])('users on sides %j are on one side: %s [PARTY-18]', (sides, one) => {
  expect(areOnOneSide(sides)).toBe(one);
});
