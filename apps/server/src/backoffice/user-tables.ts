import type { UserTables } from '../platform/user-tables.ts';

export const backofficeUserTables: UserTables = {
  commissionings: {
    onUserMerged: 'kept: names the technician, and staff are no guests',
    onUserDeleted: 'kept: names the technician, and accounts of staff are not deleted',
  },
  support_notes: {
    onUserMerged: 'kept: names the member of staff who wrote it, and notes are never changed',
    onUserDeleted: 'kept: names the member of staff who wrote it, and accounts of staff are not deleted',
  },
};
