import { can } from '@fpay/contract/roles';
import type { Viewer } from '../platform/http/session.ts';

/**
 * Who may see an operation, its receipt and its rating: its driver and staff who monitor operations. Everyone else gets the
 * answer that an unknown id gets, so that ids cannot be probed.
 */
export function maySee<Operation extends { user: number }>(
  operation: Operation | null,
  viewer: Viewer,
): operation is Operation {
  return operation !== null && (operation.user === viewer.id || can(viewer.role, 'monitor-operations'));
}
