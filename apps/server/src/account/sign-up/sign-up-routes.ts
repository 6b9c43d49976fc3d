import assert from 'node:assert/strict';
import { enterSecondFactor, sendSecondFactor } from '@fpay/contract/second-factor';
import { checkPhoneFree, enterCode, requestCode, restorePassword, signUp } from '@fpay/contract/sign-up';
import type { Routes } from '../../platform/http/routes.ts';
import { callerInfoOf } from '../caller-info.ts';
import type { PhoneCodes } from '../codes/phone-codes.ts';
import type { AccountService } from '../service.ts';
import { sendDeviceCookie } from '../sign-in/device-cookie.ts';
import { type KnownDevices, sendKnownDevice } from '../sign-in/known-devices.ts';
import type { SecondFactorService } from '../sign-in/second-factor.ts';
import type { SignInLimits } from '../sign-in/sign-in-limits.ts';
import type { SignUpService } from './sign-up.ts';

interface Services {
  account: AccountService;
  signUps: SignUpService;
  phoneCodes: PhoneCodes;
  secondFactor: SecondFactorService;
  signInLimits: SignInLimits;
  knownDevices: KnownDevices;
  isHttps: boolean;
}

/** Everything that needs a code sent to a phone. */
export function signUpRoutes(routes: Routes, services: Services): void {
  const { account, signUps, phoneCodes, secondFactor, signInLimits, knownDevices, isHttps } = services;
  routes.on(checkPhoneFree, async ({ body, device }) => {
    await phoneCodes.checkFree(body.phone_number, body.password, device);
    return {};
  });

  routes.on(requestCode, async ({ body, ...call }) => {
    const { phone_number: phone, purpose, language } = body;
    await phoneCodes.request({ phone, ...(purpose && { purpose }), ...(language && { language }) }, callerInfoOf(call));
    return {};
  });

  routes.on(enterCode, async ({ body, ...call }) => {
    await phoneCodes.enter({ phone: body.phone_number, purpose: body.purpose, code: body.code }, callerInfoOf(call));
    return {};
  });

  routes.on(signUp, async ({ body, startSession, ...call }) => {
    const [car] = body.cars;
    assert(car, 'the contract wants one car');
    const guest = await signUps.signUp(
      {
        name: body.name,
        password: body.password,
        phone: body.phone_number,
        telegramId: body.telegram_id,
        car,
        termsVersion: body.terms_version,
        code: body.otp,
        language: body.language,
      },
      callerInfoOf(call),
    );
    if (guest) await startSession(guest);
    return {};
  });

  routes.on(restorePassword, async ({ body, ...call }) => {
    const { phone_number: phone, new_password: password, otp: code } = body;
    const user = await signUps.restore({ phone, password, code }, callerInfoOf(call));
    await signInLimits.forget(phone, call.device);
    sendKnownDevice(call.http.reply, knownDevices.issue(user), isHttps);
    return {};
  });

  routes.on(sendSecondFactor, async ({ viewer, ...call }) => ({
    sent_by: await secondFactor.send({ ...callerInfoOf({ ...call, viewer }), viewer }),
  }));

  routes.on(enterSecondFactor, async ({ body, viewer, startSession, ...call }) => {
    const asked = { ...callerInfoOf({ ...call, viewer }), viewer };
    const { user, viewer: staff, deviceToken } = await secondFactor.confirm(body.code, body.trust, asked);
    await startSession(staff);
    sendKnownDevice(call.http.reply, knownDevices.issue(user), isHttps);
    if (deviceToken) sendDeviceCookie(call.http.reply, deviceToken, isHttps);
    return account.user(staff);
  });
}
