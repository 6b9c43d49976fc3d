import { type Car, NewCar } from '@fpay/contract/cars';
import { type FormErrors, type FormField, schemaErrors, serverErrors } from '../../api/form-errors.ts';
import { decimalOf } from '../../ui/form/decimal.ts';

export const carFields = ['name', 'battery', 'manufacturer', 'model', 'plate', 'vin'] as const;
export type CarField = (typeof carFields)[number];
/** The values of the fields. */
export type TypedCar = Record<CarField, string>;
export type CarErrors = FormErrors<CarField>;

const fields = {
  name: { path: 'name', text: 'cars:nameInvalid' },
  battery: { path: 'battery', text: 'cars:batteryInvalid' },
  manufacturer: { path: 'manufacturer', text: 'cars:upTo15' },
  model: { path: 'model', text: 'cars:upTo15' },
  plate: { path: 'plate', text: 'cars:upTo15' },
  vin: { path: 'vin', text: 'cars:upTo17' },
} as const satisfies Record<CarField, FormField>;

/** No car has a larger battery, so a larger number is a typing error that is shown at once. kWh. */
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

export function carOf(typed: TypedCar) {
  return { ...typed, battery: decimalOf(typed.battery) };
}

export function checkCar(typed: TypedCar): CarErrors {
  return schemaErrors(NewCar, carOf(typed), fields);
}

export function carErrorsFrom(errors: Record<string, string[]>): CarErrors {
  return serverErrors(errors, fields);
}

/** Errors that are shown while typing. */
export function checkWhileTyping({ battery }: TypedCar): CarErrors {
  return Number(decimalOf(battery)) > absurdBattery ? { battery: fields.battery.text } : {};
}
