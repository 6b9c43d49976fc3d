import type { UserTables } from '../platform/user-tables.ts';

export const stationUserTables: UserTables = {
  promotion_authors: {
    onUserMerged: 'kept: names the member of staff who made a promotion, and staff are no guests',
    onUserDeleted: 'kept: names the member of staff who made a promotion, and accounts of staff are not deleted',
  },
  tariff_changes: {
    onUserMerged: 'kept: names the member of staff who set a price, and staff are no guests',
    onUserDeleted: 'kept: names the member of staff who set a price, and accounts of staff are not deleted',
  },
};
