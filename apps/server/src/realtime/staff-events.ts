import { type StaffList, staffGroup } from '@fpay/contract/admin/live';
import type { Realtime } from './realtime.ts';

/**
 * Staff pages show lists, which may be a second old. A network with a thousand running charges changes a hundred times a
 * second, so everything of one interval is one message.
 */
const intervalMs = 1_000;
/** More than fits is not worth naming: the page reads its lists again in any case. */
const longestIds = 200;

export interface StaffEvents {
  operationChanged(id: number): void;
  listChanged(list: StaffList): void;
}

/** Collects what changed in the network and sends it to the group of staff, at most once in an interval. */
export function createStaffEvents(publish: Realtime['publish']): StaffEvents {
  const operations = new Set<number>();
  const lists = new Set<StaffList>();
  let isPlanned = false;

  function plan(): void {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(send, intervalMs).unref();
  }

  function send(): void {
    isPlanned = false;
    if (operations.size > 0) {
      const ids = [...operations].join(',');
      const named = ids.length > longestIds ? '' : ids;
      publish(staffGroup, { type: 'staff_operations_changed', count: operations.size, operations: named });
    }
    for (const list of lists) publish(staffGroup, { type: 'staff_list_changed', list });
    operations.clear();
    lists.clear();
  }

  return {
    operationChanged(id) {
      operations.add(id);
      plan();
    },
    listChanged(list) {
      lists.add(list);
      plan();
    },
  };
}
