import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { IdText, Instant } from './wire.ts';

/** At most 200 points. A value of the power is null when the device did not report it. */
export const PowerCurve = z.object({
  began_at: z.nullable(Instant),
  /** Since the beginning, one for each point. */
  seconds: z.array(z.int()),
  power: z.array(z.nullable(z.int())),
  /** The car's state of charge at the first and the latest reading; null when the car does not report it. */
  soc_first: z.nullable(z.int()),
  soc_last: z.nullable(z.int()),
});
export type PowerCurve = z.infer<typeof PowerCurve>;

export const powerCurve = endpoint({
  method: 'GET',
  path: '/api/operation/:id/curve',
  beforeConfirmation: true,
  summary: 'The power of one operation of the caller over time',
  access: ['use-app'],
  params: z.object({ id: IdText }),
  reply: PowerCurve,
  refusals: ['not_found'],
  openInMaintenance: true,
});

/** The top of the scale of a curve in kW: 3, 6, 15, 30, 60 …, so that its thirds are whole numbers. */
export function powerScaleTop(kilowatts: number): number {
  const steps = [3, 6, 9, 12, 15, 24, 30, 45, 60, 90, 120, 150, 180, 240, 300, 360, 450, 600, 900];
  return steps.find((step) => step >= kilowatts) ?? Math.ceil(kilowatts / 300) * 300;
}
