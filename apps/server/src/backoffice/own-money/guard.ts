import { waitingCalls } from '@fpay/contract/admin/waiting-calls';
import type { Endpoint } from '@fpay/contract/endpoint';
import { isAboutMoney } from '@fpay/contract/endpoint';
import type { MoneyAnswer, MoneyOf } from '@fpay/contract/staff-money';
import type { CallHandler, Routes } from '../../platform/http/routes.ts';
import { Refusal } from '../../platform/refusal.ts';
import { withStepCheck } from '../../platform/step.ts';
import { refusalOf } from './own-money.ts';
import type { MoneySubject, OwnMoney } from './profit.ts';

function refuseOwnMoney(answer: MoneyAnswer, canWait: boolean): void {
  const refusal = refusalOf(answer, canWait);
  if (refusal) throw new Refusal(refusal);
}

/** What a request says about the owner of the money. An absent optional field names no money. */
export function subjectOf({ of, at }: MoneyOf, input: object): MoneySubject {
  const value = at
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], input);
  const values = Array.isArray(value) ? value : [value];
  return { of, values: values.filter((one) => typeof one === 'string' || typeof one === 'number') };
}

/**
 * Routes on which members of staff do not decide about money that they profit from, in any role. Each call is checked as its endpoint declares it:
 * before its handler, and again at the end of each of its steps, when the rows that it changes are locked.
 */
export function guardOwnMoney(routes: Routes, ownMoney: OwnMoney): Routes {
  function guarded<E extends Endpoint>(endpoint: E, handler: CallHandler<E>): CallHandler<E> {
    const { money } = endpoint;
    if (!isAboutMoney(money)) return handler;
    const canWait = waitingCalls.includes(endpoint);
    return async (call) => {
      const { viewer } = call;
      if (viewer === null) return handler(call);
      const subjects = money.map((one) => subjectOf(one, call));
      refuseOwnMoney(await ownMoney.answer(viewer.id, subjects), canWait);
      return withStepCheck(
        async (step) => refuseOwnMoney(await ownMoney.answer(viewer.id, subjects, step.db), canWait),
        () => handler(call),
      );
    };
  }
  return { isServed: routes.isServed, on: (endpoint, handler) => routes.on(endpoint, guarded(endpoint, handler)) };
}
