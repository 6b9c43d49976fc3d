import type { UserTables } from '../platform/user-tables.ts';

export const gatewayUserTables: UserTables = {
  commands: {
    onUserMerged: 'kept: names the member of staff who sent the command, and staff are no guests',
    onUserDeleted: 'kept: names the member of staff who sent the command, and accounts of staff are not deleted',
  },
};
