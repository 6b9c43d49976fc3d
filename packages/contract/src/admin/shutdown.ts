import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { MaintenanceState } from '../maintenance.ts';
import { noMoney } from '../staff-money.ts';
import { Instant } from '../wire.ts';

const access = ['access-admin-page', 'manage-app'] as const;

/** What staff see also before a planned shutdown begins; drivers are only informed while it lasts. */
export const ShutdownState = z.extend(MaintenanceState, { is_planned: z.boolean() });
export type ShutdownState = z.infer<typeof ShutdownState>;

export const shutdownState = endpoint({
  method: 'GET',
  path: '/api/admin/shut-down',
  summary: 'The present or planned shutdown',
  access,
  reply: ShutdownState,
  openInMaintenance: true,
});

export const shutDown = endpoint({
  method: 'POST',
  path: '/api/admin/shut-down',
  summary: 'Shut the service down from start_time (null: now) until end_time (null: until turned on)',
  money: noMoney.network,
  access,
  body: z
    .object({
      text: z.nullable(z.string().check(z.maxLength(1000))),
      start_time: z.nullable(Instant),
      end_time: z.nullable(Instant),
    })
    .check(
      z.refine(
        ({ start_time, end_time }) =>
          start_time === null || end_time === null || Date.parse(start_time) < Date.parse(end_time),
        { path: ['end_time'], error: 'The end is not after the start.' },
      ),
    ),
  reply: ShutdownState,
  openInMaintenance: true,
});

export const turnOn = endpoint({
  method: 'POST',
  path: '/api/admin/turn-on',
  summary: 'End the shutdown, also a planned one',
  money: noMoney.network,
  access,
  reply: ShutdownState,
  openInMaintenance: true,
});
