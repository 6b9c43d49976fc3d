import type { EditedCar, NewCar } from '@fpay/contract/cars';
import { mostCars } from '@fpay/contract/cars';

/** What a driver asks to do with their cars, in one go. */
export interface GarageChange {
  added: readonly NewCar[];
  edited: readonly EditedCar[];
  deleted: readonly number[];
  /** 0: as it is. */
  active: number;
}

export interface Garage {
  /** In the order the driver sees them. */
  cars: readonly number[];
  active: number | null;
}

export type GarageRefusal = 'car_not_found' | 'too_many_cars';

/** `active` may also be the first of the added cars, whose id is known only once it is stored. */
export type NextGarage = { isRefused: false; active: number | 'first-added' | null } | { isRefused: GarageRefusal };

/** What follows from a change: which car is active then, or why not. Cars of somebody else are simply not there. */
export function nextGarage({ cars, active }: Garage, change: GarageChange): NextGarage {
  const named = [...change.edited.map((car) => car.id), ...change.deleted, ...(change.active ? [change.active] : [])];
  if (named.some((id) => !cars.includes(id))) return { isRefused: 'car_not_found' };
  const left = cars.filter((id) => !change.deleted.includes(id));
  if (change.active !== 0 && !left.includes(change.active)) return { isRefused: 'car_not_found' };
  if (change.edited.some((car) => change.deleted.includes(car.id))) return { isRefused: 'car_not_found' };
  if (change.added.length > 0 && left.length + change.added.length > mostCars) return { isRefused: 'too_many_cars' };

  if (change.active !== 0) return { isRefused: false, active: change.active };
  if (active !== null && left.includes(active)) return { isRefused: false, active };
  // The first other one: the second when the first was deleted.
  const [first = change.added.length > 0 ? 'first-added' : null] = left;
  return { isRefused: false, active: first };
}
