import { forceHoldAction } from '@fpay/contract/admin/actions/force-hold';
import { forceStatusAction } from '@fpay/contract/admin/actions/force-status';
import { stationCommand } from '@fpay/contract/admin/actions/station-command';
import { type ActionRequest, actionRecords, type OperationAction } from '@fpay/contract/admin/operation-actions';
import type { Endpoint } from '@fpay/contract/endpoint';
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
type Calls = { [Name in OperationAction]?: (request: ActionRequest<Name>, found: Found, name: string) => Send };

const moved = kopecks(20_00);
/** What a charge does not have is asked for under an id that no row has. */
const unknownId = 999_999_999;
/** "No" is an answer that every action may get, whatever the other staff member has just done. */
const expected: readonly number[] = [200, 404, 409];

const ofOperation = ({ operation }: Found) => ({ id: String(operation) });
const ofPayment = ({ payment }: Found) => ({ paymentId: String(payment) });
const force = { override: true } as const;

/** Most actions send what their preview gets; an action of a record has its endpoint there. */
function usualCall({ action, ...body }: ActionRequest, found: Found): Send {
  const record = actionRecords.find(({ name }) => name === action);
  if (!record) throw new Error(`${action} has no record`);
  const endpoint: Endpoint = record.endpoint;
  const params = endpoint.path.includes(':paymentId') ? ofPayment(found) : ofOperation(found);
  const sent = endpoint.body ? { params, body } : { params };
  return (client, options) => client.call(endpoint, sent as never, options);
}

/** The calls of the others, as the page makes them. */
const calls: Calls = {
  force_status:
    ({ status }, found) =>
    (client, options) =>
      client.call(forceStatusAction.endpoint, { params: ofOperation(found), body: { status, ...force } }, options),
  force_energy: ({ update_total = false, ...request }, found) => usualCall({ ...request, update_total }, found),
  force_hold:
    ({ hold: status }, { payment }) =>
    (client, options) =>
      client.call(forceHoldAction.endpoint, { params: { id: String(payment) }, body: { status, ...force } }, options),
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
    if (request) {
      // A request gets the call of its own action, which the compiler cannot follow through a list.
      const call = calls[request.action] as Calls['reset'];
      return call?.(request as ActionRequest<'reset'>, found, name) ?? usualCall(request, found);
    }
    const send = balanceCalls[name]?.(found);
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
