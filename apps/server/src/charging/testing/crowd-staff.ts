import { cancelHoldAction } from '@fpay/contract/admin/actions/cancel-hold';
import { cancelPaymentAction } from '@fpay/contract/admin/actions/cancel-payment';
import { finalizeAction } from '@fpay/contract/admin/actions/finalize';
import { finishAction } from '@fpay/contract/admin/actions/finish';
import { forceEnergyAction } from '@fpay/contract/admin/actions/force-energy';
import { forceHoldAction } from '@fpay/contract/admin/actions/force-hold';
import { forceStatusAction } from '@fpay/contract/admin/actions/force-status';
import { softCancelAction } from '@fpay/contract/admin/actions/soft-cancel';
import { softStartAction } from '@fpay/contract/admin/actions/soft-start';
import { softStopAction } from '@fpay/contract/admin/actions/soft-stop';
import { stationCommand } from '@fpay/contract/admin/actions/station-command';
import type { ActionRequest, OperationAction } from '@fpay/contract/admin/operation-actions';
import { kopecks } from '@fpay/contract/money';
import { cancelBalanceTransaction, decreaseBalance, increaseBalance } from '@fpay/contract/wallet';
import type { Database } from '../../platform/database.ts';
import type { Client, SignOptions, TestAnswer } from '../../testing/client.ts';
import type { Act } from './crowd-trouble.ts';
import { requestNamed } from './staff-actions.ts';

interface Dependencies {
  db: Database;
  /** Repeats a call until the server, which may be dead, has answered it. */
  insist<T>(call: (options: SignOptions) => Promise<TestAnswer<T>>): Promise<TestAnswer<T>>;
}

interface About {
  user: number;
  operation: number;
  payment: number;
}

/** What a call needs that its subject does not say. */
interface Found extends About {
  chargePoint: number;
  transaction: number;
  /** The entry of the wallet that paid for the charge. */
  entry: number;
}

type Send = (client: Client, options: SignOptions) => Promise<TestAnswer>;
type Calls = { [Name in OperationAction]: (request: ActionRequest<Name>, found: Found, name: string) => Send };

const moved = kopecks(20_00);
/** What a charge does not have is asked for under an id that no row has. */
const unknownId = 999_999_999;
/** "No" is an answer that every action may get, whatever the other staff member has just done. */
const expected: readonly number[] = [200, 404, 409];

const ofOperation = ({ operation }: Found) => ({ id: String(operation) });
const ofPayment = ({ payment }: Found) => ({ paymentId: String(payment) });
const force = { override: true } as const;

/** The call of each action of the contract, as the page makes it. */
const calls: Calls = {
  soft_start: (_request, found) => (client, options) =>
    client.call(softStartAction.endpoint, { params: ofOperation(found) }, options),
  soft_stop: (_request, found) => (client, options) =>
    client.call(softStopAction.endpoint, { params: ofOperation(found) }, options),
  soft_cancel: (_request, found) => (client, options) =>
    client.call(softCancelAction.endpoint, { params: ofOperation(found) }, options),
  finish: (_request, found) => (client, options) =>
    client.call(finishAction.endpoint, { params: ofOperation(found) }, options),
  force_status:
    ({ status }, found) =>
    (client, options) =>
      client.call(forceStatusAction.endpoint, { params: ofOperation(found), body: { status, ...force } }, options),
  force_energy:
    ({ energy, update_total = false }, found) =>
    (client, options) =>
      client.call(forceEnergyAction.endpoint, { params: ofOperation(found), body: { energy, update_total } }, options),
  force_hold:
    ({ hold: status }, { payment }) =>
    (client, options) =>
      client.call(forceHoldAction.endpoint, { params: { id: String(payment) }, body: { status, ...force } }, options),
  cancel_hold: (_request, found) => (client, options) =>
    client.call(cancelHoldAction.endpoint, { params: ofPayment(found) }, options),
  finalize:
    ({ amount }, found) =>
    (client, options) =>
      client.call(finalizeAction.endpoint, { params: ofPayment(found), body: { amount } }, options),
  cancel_payment:
    ({ action: _action, ...body }, found) =>
    (client, options) =>
      client.call(cancelPaymentAction.endpoint, { params: ofPayment(found), body }, options),
  reset:
    (_request, { chargePoint: chargePointId }, name) =>
    (client, options) => {
      const payload = { chargePointId, resetType: name === 'RESET hard' ? ('Hard' as const) : ('Soft' as const) };
      return client.call(stationCommand, { body: { command: 'reset', payload } }, options);
    },
  remote_stop:
    (_request, { chargePoint: chargePointId, transaction: transactionId }) =>
    (client, options) => {
      const payload = { chargePointId, transactionId };
      return client.call(stationCommand, { body: { command: 'remotestoptransaction', payload } }, options);
    },
};

/** The calls about a user's balance. */
const balanceCalls: Record<string, (found: Found) => Send> = {
  'give money':
    ({ user }) =>
    (client, options) =>
      client.call(increaseBalance, { body: { user_id: user, amount: moved } }, options),
  'take money':
    ({ user }) =>
    (client, options) =>
      client.call(decreaseBalance, { body: { user_id: user, amount: moved } }, options),
  'cancel transaction with return': (found) => reversal(found, { allow_partial: false }),
  'cancel transaction with partial return': (found) => reversal(found, { allow_partial: true }),
};

function reversal({ entry: id }: Found, { allow_partial }: { allow_partial: boolean }): Send {
  const body = { id, cancel_payment: !allow_partial, allow_partial };
  return (client, options) => client.call(cancelBalanceTransaction, { body }, options);
}

/** What gives or takes counts in the audit of the driver's balance. */
const auditedAs: Record<string, string> = { 'give money': 'give', 'take money': 'take' };

/** Actions of staff by name, over HTTP, as two members of staff do them to the charges of a crowd. */
export function createStaffCalls({ db, insist }: Dependencies) {
  async function find({ user, operation, payment }: About): Promise<Found> {
    const row = await db
      .selectFrom('operations as o')
      .innerJoin('users as u', 'u.id', 'o.user_id')
      .leftJoin('ocpp_transactions as x', 'x.operation_id', 'o.id')
      .leftJoin('transfers as t', (on) =>
        on.onRef('t.operation_id', '=', 'o.id').onRef('t.from_account', '=', 'u.wallet_id'),
      )
      .select(['o.charge_point_id', 'x.id as transaction', 't.id as entry'])
      .where('o.id', '=', operation)
      .executeTakeFirstOrThrow();
    const { charge_point_id: chargePoint, transaction, entry } = row;
    return { user, operation, payment, chargePoint, transaction: transaction ?? unknownId, entry: entry ?? unknownId };
  }

  function sendOf(name: string, found: Found): Send {
    const request = requestNamed(name);
    // A request gets the call of its own action, which the compiler cannot follow through a list.
    const call = request && (calls[request.action] as Calls['soft_start']);
    const send = call ? call(request as ActionRequest<'soft_start'>, found, name) : balanceCalls[name]?.(found);
    if (!send) throw new Error(`${name} has no call`);
    return send;
  }

  return async function byStaffMember(client: Client, name: string, about: About): Promise<Act> {
    const send = sendOf(name, await find(about));
    const { status, body } = await insist((options) => send(client, options));
    const isDone = status === 200;
    const fault = expected.includes(status) ? null : `${name} was answered ${status} ${JSON.stringify(body)}`;
    return { name: auditedAs[name] ?? name, amount: moved, isDone, fault };
  };
}
