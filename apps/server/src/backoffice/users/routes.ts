import { userNow } from '@fpay/contract/admin/user-now';
import { adminUser, adminUsers, banUser, sendSms, sendTelegram, setRole, unbanUser } from '@fpay/contract/admin/users';
import { can } from '@fpay/contract/roles';
import type { UserStaffActions } from '../../account/staff.ts';
import type { StaffMessages } from '../../messages/staff.ts';
import type { Reads } from '../../platform/audit-reads.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { sortOf } from '../sorts.ts';
import type { UserDetail } from './detail.ts';
import type { UserList } from './list.ts';
import type { ReadUserNow } from './now.ts';
import { userLogRoute } from './user-log-route.ts';

export interface UserParts {
  list: UserList;
  detail: UserDetail;
  now: ReadUserNow;
  accounts: UserStaffActions;
  messages: StaffMessages;
  logText: (user: number) => Promise<string | null>;
  reads: Reads;
}

export function userRoutes(routes: Routes, parts: UserParts): void {
  const { accounts, messages, reads } = parts;
  routes.on(adminUsers, async ({ viewer, body }) => {
    const { before, count, ...filter } = body;
    const sort = sortOf('users', body.sort);
    await reads.list(viewer.id, 'users', filter);
    return parts.list({ withTemporary: body.with_temp, role: body.role, before }, count, sort);
  });
  routes.on(adminUser, async ({ viewer, params }) => {
    const user = await parts.detail(params.id, viewer);
    await reads.of(viewer.id, 'user', user.id);
    return user;
  });

  routes.on(userNow, async ({ viewer, params }) => {
    const now = await parts.now(params.id, can(viewer.role, 'access-tech-logs'));
    await reads.of(viewer.id, 'user', params.id);
    return now;
  });

  userLogRoute(routes, parts.logText, reads);

  routes.on(sendSms, async ({ viewer, body, requestKey }) => {
    await messages.sms({ staff: viewer.id, text: body.message, requestKey }, body.phone_number);
    return { is_queued: true };
  });
  routes.on(sendTelegram, async ({ viewer, body, requestKey }) => {
    await messages.telegram({ staff: viewer.id, text: body.message, requestKey }, body.user_id);
    return { is_queued: true };
  });

  routes.on(setRole, async ({ viewer, body, requestKey }) => ({
    role: await accounts.setRole({ staff: viewer, user: body.user_id, requestKey }, body.role),
  }));
  routes.on(banUser, async ({ viewer, body, requestKey }) => ({
    role: await accounts.ban({ staff: viewer, user: body.user_id, requestKey, reason: body.reason ?? null }),
  }));
  routes.on(unbanUser, async ({ viewer, body, requestKey }) => ({
    role: await accounts.unban({ staff: viewer, user: body.user_id, requestKey, reason: body.reason ?? null }),
  }));
}
