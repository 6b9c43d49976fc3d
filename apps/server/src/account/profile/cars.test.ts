import { expect, test } from 'vitest';
import { type CarsChange, nextCarList } from './cars.ts';

const car = { name: 'Leaf', battery: null, manufacturer: null, model: null, plate: null, vin: null };
const change = (what: Partial<CarsChange>): CarsChange => ({
  added: [],
  edited: [],
  deleted: [],
  active: 0,
  ...what,
});
const ten = Array.from({ length: 10 }, (_, index) => index + 1);

test.each([
  ['deleting the active car makes the first other one active', { cars: [1, 2, 3], active: 2 }, { deleted: [2] }, 1],
  ['the second, if the deleted one is first', { cars: [1, 2, 3], active: 1 }, { deleted: [1] }, 2],
  ['deleting another car changes nothing', { cars: [1, 2, 3], active: 3 }, { deleted: [1] }, 3],
  ['without cars none is active', { cars: [1], active: 1 }, { deleted: [1] }, null],
  ['the last one replaced: the new one', { cars: [1], active: 1 }, { deleted: [1], added: [car] }, 'first-added'],
  ['the first car ever is active', { cars: [], active: null }, { added: [car, car] }, 'first-added'],
  ['an added car does not push the active one aside', { cars: [1], active: 1 }, { added: [car] }, 1],
  ['the one chosen', { cars: [1, 2], active: 1 }, { active: 2 }, 2],
  ['one may go as another comes', { cars: ten, active: 4 }, { deleted: [5], added: [car] }, 4],
])('the active car: %s [CAR-07]', (_what, garage, what, active) => {
  expect(nextCarList(garage, change(what))).toEqual({ isRefused: false, active });
});

test.each([
  ['a car that is not there', { deleted: [9] }, 'car_not_found'],
  ['an edit of it', { edited: [{ id: 9, name: 'Mine now' }] }, 'car_not_found'],
  ['making it active', { active: 9 }, 'car_not_found'],
  ['making active what is deleted', { active: 1, deleted: [1] }, 'car_not_found'],
  ['editing what is deleted', { edited: [{ id: 1 }], deleted: [1] }, 'car_not_found'],
])('%s is refused', (_what, what, code) => {
  expect(nextCarList({ cars: [1, 2], active: 1 }, change(what))).toEqual({ isRefused: code });
});

test('an eleventh car is refused [VAL-14]', () => {
  expect(nextCarList({ cars: ten, active: 1 }, change({ added: [car] }))).toEqual({ isRefused: 'too_many_cars' });
  expect(nextCarList({ cars: ten.slice(1), active: 2 }, change({ added: [car] }))).toMatchObject({ isRefused: false });
});
