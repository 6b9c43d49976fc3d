import assert from 'node:assert/strict';
import { endOtherSessions, endSession, getSessions } from '@fpay/contract/sessions';
import type { Routes } from '../platform/http/routes.ts';
import type { SignedInDeviceService } from './signed-in-devices.ts';

export function sessionRoutes(routes: Routes, devices: SignedInDeviceService): void {
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
