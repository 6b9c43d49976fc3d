import type { UserTables } from '../platform/user-tables.ts';

export const integrationUserTables: UserTables = {
  api_keys: {
    onUserMerged: 'kept: names the member of staff who created the key, and staff are no guests',
    onUserDeleted: 'kept: names the member of staff who created the key, and accounts of staff are not deleted',
  },
  webhook_endpoints: {
    onUserMerged: 'kept: names the member of staff who added the endpoint, and staff are no guests',
    onUserDeleted: 'kept: names the member of staff who added the endpoint, and accounts of staff are not deleted',
  },
  ocpi_partners: {
    onUserMerged: 'kept: names the member of staff who added the partner, and staff are no guests',
    onUserDeleted: 'kept: names the member of staff who added the partner, and accounts of staff are not deleted',
  },
};
