import * as z from 'zod/mini';
import type { Permission } from '../roles.ts';

/** Staff who may see every operation are notified of changes in the whole network. */
export const staffGroup = 'staff';
export const staffGroupAccess = ['access-admin-page', 'monitor-operations'] as const satisfies Permission[];

/** Lists of staff that change without an operation. */
export const staffLists = ['anomalies', 'terminations', 'approvals', 'cases'] as const;
export type StaffList = (typeof staffLists)[number];

/** The messages of the group of staff: what changed, and never more than that. */
export const StaffMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('staff_operations_changed'),
    count: z.int(),
    /** Ids with commas between them; empty when there are too many to name. */
    operations: z.string(),
  }),
  z.object({ type: z.literal('staff_list_changed'), list: z.enum(staffLists) }),
]);
export type StaffMessage = z.infer<typeof StaffMessage>;
