import assert from 'node:assert/strict';
import { enterSecondFactor, sendSecondFactor } from '@fpay/contract/second-factor';
import { checkPhoneFree, enterCode, requestCode, restorePassword, signUp } from '@fpay/contract/sign-up';
import type { Routes } from '../platform/http/routes.ts';
import type { Device, Session, Viewer } from '../platform/http/session.ts';
import { sendDeviceCookie } from './device-cookie.ts';
import type { PhoneCodes } from './phone-codes.ts';
import type { SecondFactor } from './second-factor.ts';
import type { AccountService } from './service.ts';
import type { SignUpService } from './sign-up.ts';

interface Services {
  account: AccountService;
  signUps: SignUpService;
  phoneCodes: PhoneCodes;
  secondFactor: SecondFactor;
  isHttps: boolean;
}

/** Everything that a code sent to a phone opens. */
export function signUpRoutes(routes: Routes, { account, signUps, phoneCodes, secondFactor, isHttps }: Services): void {
  routes.on(checkPhoneFree, async ({ body, device }) => {
    await phoneCodes.checkFree(body.phone_number, device);
    return {};
  });

  routes.on(requestCode, async ({ body, ...call }) => {
    const { phone_number: phone, purpose, language } = body;
    await phoneCodes.request({ phone, ...(purpose && { purpose }), ...(language && { language }) }, asker(call));
    return {};
  });

  routes.on(enterCode, async ({ body, ...call }) => {
    await phoneCodes.enter({ phone: body.phone_number, purpose: body.purpose, code: body.code }, asker(call));
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
      asker(call),
    );
    if (guest) await startSession(guest);
    return {};
  });

  routes.on(restorePassword, async ({ body, ...call }) => {
    await signUps.restore({ phone: body.phone_number, password: body.new_password, code: body.otp }, asker(call));
    return {};
  });

  routes.on(sendSecondFactor, async ({ viewer, ...call }) => ({
    sent_by: await secondFactor.send({ ...asker({ ...call, viewer }), viewer }),
  }));

  routes.on(enterSecondFactor, async ({ body, viewer, startSession, ...call }) => {
    const asked = { ...asker({ ...call, viewer }), viewer };
    const { viewer: staff, deviceToken } = await secondFactor.confirm(body.code, body.trust, asked);
    await startSession(staff);
    if (deviceToken) sendDeviceCookie(call.http.reply, deviceToken, isHttps);
    return account.user(staff);
  });
}

/** Mutating calls always have a session: the platform refuses them without its token. */
function asker({ viewer, session, device }: { viewer: Viewer | null; session: Session | null; device: Device }) {
  assert(session, 'a signed call without a session');
  return { viewer, session: session.id, device };
}
