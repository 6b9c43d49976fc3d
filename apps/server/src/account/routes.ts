import { comeBack, getUser, signIn, signInAsGuest, signOut, storeLanguage } from '@fpay/contract/account';
import type { Routes } from '../platform/http/routes.ts';
import { callerInfoOf } from './caller-info.ts';
import type { AccountService } from './service.ts';
import { deviceCookie } from './sign-in/device-cookie.ts';
import { knownDeviceCookie, sendKnownDevice } from './sign-in/known-devices.ts';
import type { SignInService } from './sign-in/sign-in.ts';

interface Services {
  account: AccountService;
  signIns: SignInService;
  disconnect: (userId: number) => Promise<void>;
  isHttps: boolean;
}

export function accountRoutes(routes: Routes, { account, signIns, disconnect, isHttps }: Services): void {
  routes.on(getUser, ({ viewer }) => account.user(viewer));

  routes.on(storeLanguage, async ({ viewer, body }) => {
    await account.storeLanguage(viewer.id, body.language);
    return undefined;
  });

  routes.on(signIn, async ({ body, startSession, http, ...call }) => {
    const given = {
      phone: body.phone_number,
      password: body.password,
      stationNumber: body.station_number,
      code: body.otp,
      trustedDevice: http.request.cookies[deviceCookie],
      knownDevice: http.request.cookies[knownDeviceCookie],
    };
    const { viewer, knownDevice } = await signIns.signIn(given, callerInfoOf(call));
    await startSession(viewer);
    if (knownDevice) sendKnownDevice(http.reply, knownDevice, isHttps);
    return account.user(viewer);
  });

  routes.on(signInAsGuest, async ({ device, startSession, viewer }) => {
    // A second press of the button creates no second guest, and a signed-in driver need not become one.
    if (viewer) return account.user(viewer);
    const guest = await account.becomeGuest(device);
    await startSession(guest);
    return account.user(guest);
  });

  routes.on(comeBack, async ({ body, device, startSession, viewer }) => {
    // A user with an account stays signed in to it.
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
