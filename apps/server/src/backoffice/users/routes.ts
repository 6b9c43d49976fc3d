import {
  type Approval,
  adminUser,
  adminUsers,
  approvals,
  approve,
  banUser,
  decline,
  sendSms,
  sendTelegram,
  setRole,
  unbanUser,
} from '@fpay/contract/admin/users';
import { userLog } from '@fpay/contract/profile';
import type { UserStaffActions } from '../../account/staff.ts';
import type { StaffMessages } from '../../messages/staff.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { StaffMoneyService } from '../../wallet/staff.ts';
import type { UserDetail } from './detail.ts';
import type { UserList } from './list.ts';

export interface UserParts {
  list: UserList;
  detail: UserDetail;
  approvals: (viewer: number) => Promise<Approval[]>;
  accounts: UserStaffActions;
  messages: StaffMessages;
  logText: (user: number) => Promise<string | null>;
  money: Pick<StaffMoneyService, 'approve' | 'decline'>;
}

export function userRoutes(routes: Routes, parts: UserParts): void {
  const { accounts, messages, money } = parts;
  routes.on(adminUsers, ({ body }) =>
    parts.list({ withTemporary: body.with_temp, role: body.role, before: body.before }, body.count),
  );
  routes.on(adminUser, ({ viewer, params }) => parts.detail(params.id, viewer));

  routes.on(userLog, async ({ params, http }) => {
    const text = await parts.logText(params.id);
    if (text === null) throw new Refusal('user_not_found');
    // A log contains text that strangers typed, so a browser must never render it as a page.
    http.reply.type('text/plain; charset=utf-8').header('x-content-type-options', 'nosniff');
    return http.reply.send(text) as never;
  });

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

  routes.on(approvals, ({ viewer }) => parts.approvals(viewer.id));
  routes.on(approve, ({ viewer, params }) => money.approve(params.id, viewer.id));
  routes.on(decline, async ({ viewer, params }) => {
    await money.decline(params.id, viewer.id);
    return undefined;
  });
}
