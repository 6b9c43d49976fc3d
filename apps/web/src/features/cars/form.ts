import { type Car, NewCar } from '@fpay/contract/cars';
import type { TextKey } from '../../i18n/text-key.ts';

export const carFields = ['name', 'battery', 'manufacturer', 'model', 'plate', 'vin'] as const;
export type CarField = (typeof carFields)[number];
/** As it stands in the fields. */
export type TypedCar = Record<CarField, string>;
export type CarMistakes = Partial<Record<CarField, TextKey>>;

const mistakeText = {
  name: 'cars:nameInvalid',
  battery: 'cars:batteryInvalid',
  manufacturer: 'cars:upTo15',
  model: 'cars:upTo15',
  plate: 'cars:upTo15',
  vin: 'cars:upTo17',
} as const satisfies Record<CarField, TextKey>;

/** No battery on wheels is larger: whoever types this while editing has mistyped, and sees it at once. kWh. */
const absurdBattery = 300;

export function typedOf(car: Car | null): TypedCar {
  return {
    name: car?.name ?? '',
    battery: car?.battery?.toString() ?? '',
    manufacturer: car?.manufacturer ?? '',
    model: car?.model ?? '',
    plate: car?.plate ?? '',
    vin: car?.vin ?? '',
  };
}

/** A comma is a decimal mark too. */
function batteryOf(typed: string): number | '' {
  return typed.trim() === '' ? '' : Number(typed.replace(',', '.'));
}

export function carOf(typed: TypedCar) {
  return { ...typed, battery: batteryOf(typed.battery) };
}

/** The contract's own rules; the server asks the same. */
export function mistakesIn(typed: TypedCar): CarMistakes {
  const { error } = NewCar.safeParse(carOf(typed));
  return mistakesAt(error?.issues.map(({ path }) => String(path.at(-1))) ?? []);
}

/** By the dot paths of the server: `edited_cars.0.battery`. */
export function mistakesFrom(errors: Record<string, string[]>): CarMistakes {
  return mistakesAt(Object.keys(errors).map((path) => path.split('.').at(-1) ?? ''));
}

function mistakesAt(fields: readonly string[]): CarMistakes {
  return Object.fromEntries(
    carFields.filter((field) => fields.includes(field)).map((field) => [field, mistakeText[field]]),
  );
}

/** What is wrong before anything is sent. */
export function mistakesWhileEditing({ battery }: TypedCar): CarMistakes {
  return Number(batteryOf(battery)) > absurdBattery ? { battery: mistakeText.battery } : {};
}
