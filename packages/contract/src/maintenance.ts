import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Instant } from './wire.ts';

export const MaintenanceState = z.object({
  is_down: z.boolean(),
  start_time: z.nullable(Instant),
  /** Null while the service is down; the end is then unknown until staff turn it on again. */
  end_time: z.nullable(Instant),
  text: z.nullable(z.string()),
});
export type MaintenanceState = z.infer<typeof MaintenanceState>;

export const isDown = endpoint({
  method: 'GET',
  path: '/api/is-down',
  summary: 'Whether the service is down for maintenance, and until when',
  access: 'anyone',
  reply: MaintenanceState,
  openInMaintenance: true,
});
