import type { UserTables } from '../platform/user-tables.ts';

export const backofficeUserTables: UserTables = {
  support_notes: {
    onUserMerged: 'kept: names the member of staff who wrote it, and notes are never changed',
    onUserDeleted: 'kept: names the member of staff who wrote it, and accounts of staff are not deleted',
  },
};
