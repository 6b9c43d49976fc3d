import * as z from 'zod/mini';
import { isClean, isShortName } from './person.ts';
import { Id } from './wire.ts';

export const Car = z.object({
  id: Id,
  name: z.string(),
  /** kWh; null when the driver left it out. */
  battery: z.nullable(z.number()),
  manufacturer: z.nullable(z.string()),
  model: z.nullable(z.string()),
  plate: z.nullable(z.string()),
  vin: z.nullable(z.string()),
  /** Older clients expect this field; no form sets it any more. */
  year: z.null(),
});
export type Car = z.infer<typeof Car>;

export const mostCars = 10;
export const batteryLimits = { least: 20, most: 200 } as const;

export const carTexts = {
  nameInvalid: 'Car name invalid!',
  batteryInvalid: 'Battery must be empty or 20 to 200!',
  tooManyCars: 'At most 10 cars!',
  carNotFound: 'Car not found!',
} as const;

export const CarName = z.pipe(
  z.string(carTexts.nameInvalid).check(z.refine(isShortName, carTexts.nameInvalid)),
  z.transform((text: string) => text.trim().replace(/\s+/g, ' ')),
);

/** The empty string and 0 mean that the driver left it out. */
export const Battery = z.pipe(
  z
    .union([z.literal(''), z.null(), z.number()], carTexts.batteryInvalid)
    .check(
      z.refine(
        (value) =>
          value === '' ||
          value === null ||
          value === 0 ||
          (value >= batteryLimits.least && value <= batteryLimits.most),
        carTexts.batteryInvalid,
      ),
    ),
  z.transform((value: number | '' | null) => (value === '' || value === 0 ? null : value)),
);

const shortText = (most: number) => {
  const text = `Up to ${most} characters!`;
  return z.pipe(
    z.nullable(
      z.string(text).check(z.refine((value) => [...value.trim()].length <= most && isClean(value.trim()), text)),
    ),
    z.transform((value: string | null) => value?.trim() || null),
  );
};
const Manufacturer = shortText(15);
const Model = shortText(15);
const Plate = shortText(15);
const Vin = shortText(17);

export const NewCar = z.object({
  name: CarName,
  battery: z._default(Battery, null),
  manufacturer: z._default(Manufacturer, null),
  model: z._default(Model, null),
  plate: z._default(Plate, null),
  vin: z._default(Vin, null),
});
export type NewCar = z.infer<typeof NewCar>;

/** A missing field stays unchanged; null and the empty string clear it. */
export const EditedCar = z.object({
  id: Id,
  name: z.optional(CarName),
  battery: z.optional(Battery),
  manufacturer: z.optional(Manufacturer),
  model: z.optional(Model),
  plate: z.optional(Plate),
  vin: z.optional(Vin),
});
export type EditedCar = z.infer<typeof EditedCar>;
