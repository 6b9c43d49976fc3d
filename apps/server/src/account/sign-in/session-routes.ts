import assert from 'node:assert/strict';
import { confirmPassword, sendConfirmation } from '@fpay/contract/account';
import { endOtherSessions, endSession, getSessions } from '@fpay/contract/sessions';
import type { Routes } from '../../platform/http/routes.ts';
import { callerInfoOf } from '../caller-info.ts';
import type { AccountService } from '../service.ts';
import type { Confirmations } from './confirmation.ts';
import type { SignedInDeviceService } from './signed-in-devices.ts';

interface Services {
  devices: SignedInDeviceService;
  account: AccountService;
  confirmations: Confirmations;
}

export function sessionRoutes(routes: Routes, { devices, account, confirmations }: Services): void {
  routes.on(sendConfirmation, async ({ viewer, ...call }) => ({
    sent_by: await confirmations.send({ ...callerInfoOf({ ...call, viewer }), viewer }),
  }));

  routes.on(confirmPassword, async ({ body, viewer, session, ...call }) => {
    assert(session, 'a signed call without a session');
    await confirmations.confirm(body.code, session, { ...callerInfoOf({ ...call, viewer, session }), viewer });
    return account.user({ id: viewer.id, role: viewer.role });
  });

  routes.on(getSessions, async ({ viewer, session }) => ({ sessions: await devices.list(viewer, session) }));

  routes.on(endSession, async ({ params, viewer, session, endSession: signOutHere }) => {
    await devices.end(viewer, params.id);
    if (params.id === session?.id) await signOutHere();
    return undefined;
  });

  routes.on(endOtherSessions, async ({ viewer, session }) => {
    assert(session, 'a signed call without a session');
    await devices.endOthers(viewer, session);
    return undefined;
  });
}
