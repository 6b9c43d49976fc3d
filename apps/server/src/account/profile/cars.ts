import type { EditedCar, NewCar } from '@fpay/contract/cars';
import { mostCars } from '@fpay/contract/cars';

/** A driver's changes to their cars, in one request. */
export interface CarsChange {
  added: readonly NewCar[];
  edited: readonly EditedCar[];
  deleted: readonly number[];
  /** 0 when it does not change. */
  active: number;
}

export interface CarList {
  /** In the order in which the driver sees them. */
  cars: readonly number[];
  active: number | null;
}

export type CarRefusal = 'car_not_found' | 'too_many_cars';

/** `active` may also be the first of the added cars, whose id is known only once it is stored. */
export type NextCarList = { isRefused: false; active: number | 'first-added' | null } | { isRefused: CarRefusal };

/**
 * The result of a change: which car is active then, or why it is refused. Cars of other users are treated as unknown.
 */
export function nextCarList({ cars, active }: CarList, change: CarsChange): NextCarList {
  const named = [...change.edited.map((car) => car.id), ...change.deleted, ...(change.active ? [change.active] : [])];
  if (named.some((id) => !cars.includes(id))) return { isRefused: 'car_not_found' };
  const left = cars.filter((id) => !change.deleted.includes(id));
  if (change.active !== 0 && !left.includes(change.active)) return { isRefused: 'car_not_found' };
  if (change.edited.some((car) => change.deleted.includes(car.id))) return { isRefused: 'car_not_found' };
  if (change.added.length > 0 && left.length + change.added.length > mostCars) return { isRefused: 'too_many_cars' };

  if (change.active !== 0) return { isRefused: false, active: change.active };
  if (active !== null && left.includes(active)) return { isRefused: false, active };
  // The first remaining one: the second when the first was deleted.
  const [first = change.added.length > 0 ? 'first-added' : null] = left;
  return { isRefused: false, active: first };
}
