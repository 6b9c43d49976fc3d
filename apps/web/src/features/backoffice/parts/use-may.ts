import type { Permission } from '@fpay/contract/roles';
import { useUser } from '../../account/queries.ts';

/** The permissions of the signed-in member of staff. */
export function usePermissions(): readonly Permission[] {
  return useUser()?.permissions ?? [];
}

/** Whether the signed-in member of staff has this permission. The server checks it again. */
export function useMay(permission: Permission): boolean {
  return usePermissions().includes(permission);
}
