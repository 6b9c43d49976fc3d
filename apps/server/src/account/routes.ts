import { comeBack, getUser, signIn, signInAsGuest, signOut } from '@fpay/contract/account';
import type { Routes } from '../platform/http/routes.ts';
import { deviceCookie } from './device-cookie.ts';
import type { AccountService } from './service.ts';

export function accountRoutes(
  routes: Routes,
  account: AccountService,
  disconnect: (userId: number) => Promise<void>,
): void {
  routes.on(getUser, ({ viewer }) => account.user(viewer));

  routes.on(signIn, async ({ body, device, startSession, viewer: before, http }) => {
    const viewer = await account.signIn(
      { phone: body.phone_number, password: body.password, stationNumber: body.station_number },
      device,
      { guest: before?.role === 'Guest' ? before.id : null, deviceToken: http.request.cookies[deviceCookie] },
    );
    await startSession(viewer);
    return account.user(viewer);
  });

  routes.on(signInAsGuest, async ({ device, startSession, viewer }) => {
    // A second press of the button is not a second guest, and a signed-in driver need not become one.
    if (viewer) return account.user(viewer);
    const guest = await account.becomeGuest(device);
    await startSession(guest);
    return account.user(guest);
  });

  routes.on(comeBack, async ({ body, device, startSession, viewer }) => {
    // Somebody with an account of their own stays who they are.
    if (viewer && viewer.role !== 'Guest') return account.user(viewer);
    const guest = await account.comeBack(body.token, device);
    if (viewer?.id !== guest.id) await startSession(guest);
    return account.user(guest);
  });

  routes.on(signOut, async ({ viewer, endSession }) => {
    await endSession();
    if (viewer) await disconnect(viewer.id);
    return undefined;
  });
}
