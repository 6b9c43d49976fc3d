import { adminUser, adminUsers, banUser, sendSms, sendTelegram, setRole, unbanUser } from '@fpay/contract/admin/users';
import type { UserStaffActions } from '../../account/staff.ts';
import type { StaffMessages } from '../../messages/staff.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { UserDetail } from './detail.ts';
import type { UserList } from './list.ts';
import { userLogRoute } from './user-log-route.ts';

export interface UserParts {
  list: UserList;
  detail: UserDetail;
  accounts: UserStaffActions;
  messages: StaffMessages;
  logText: (user: number) => Promise<string | null>;
}

export function userRoutes(routes: Routes, parts: UserParts): void {
  const { accounts, messages } = parts;
  routes.on(adminUsers, ({ body }) =>
    parts.list({ withTemporary: body.with_temp, role: body.role, before: body.before }, body.count),
  );
  routes.on(adminUser, ({ viewer, params }) => parts.detail(params.id, viewer));

  userLogRoute(routes, parts.logText);

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
    role: await accounts.ban({ staff: viewer, user: body.user_id, requestKey }),
  }));
  routes.on(unbanUser, async ({ viewer, body, requestKey }) => ({
    role: await accounts.unban({ staff: viewer, user: body.user_id, requestKey }),
  }));
}
