import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finalStatuses, isAmong, type OperationStatus } from '@fpay/contract/charging';
import { kopecks } from '@fpay/contract/money';
import { createSandbox } from '@fpay/sandbox';
import { sql } from 'kysely';
import { createManualClock } from '../../payments/testing/manual-clock.ts';
import { preparedStatementMarker } from '../../platform/database.ts';
import type { Steps } from '../../platform/step.ts';
import { testDatabase } from '../../testing/database.ts';
import { addOperation } from '../../testing/operation.ts';
import type { PaidBy, StaffSubject } from './staff-actions.ts';
import { wireStaffParts } from './staff-parts.ts';

const energyWh = 100;
const total = 1_50;
const deposit = 150_00;
/** What the bank needs for a capture or a refund; a retry comes after a minute, so none happens in this time. */
const bankMs = 20_000;
const withEnergy: readonly OperationStatus[] = ['ongoing', 'finishing', 'pending_final_payment', 'finished'];

/**
 * Charges in every state for tests of staff actions, with a database and a bank of their own. The money is real: it is held,
 * captured, released and refused by the sandbox's bank. Only the device is missing, so its part is written to the rows.
 */
export async function openStaffActions(setup: { staffLimit?: number } = {}) {
  const database = await testDatabase();
  const manual = createManualClock();
  const clock = { now: () => new Date(manual.now()) };
  const dataDir = mkdtempSync(join(tmpdir(), 'fpay-bank-'));
  const sandbox = await createSandbox({ dataDir, clock: manual });
  const bankUrl = `${await sandbox.listen({ host: '127.0.0.1', port: 0 })}/bank`;
  let inUse: Steps | null = null;
  const parts = wireStaffParts({
    ...setup,
    databaseUrl: database.appUrl,
    bankUrl,
    clock,
    wrapSteps: (steps) => ({
      run: (work) => (inUse ?? steps).run(work),
      single: (statement) => (inUse ?? steps).single(statement),
    }),
  });
  const { db, steps, features } = parts;

  /** Runs an action with other steps than the usual ones, for example with steps that crash. */
  async function withSteps<T>(other: Steps, work: () => Promise<T>): Promise<T> {
    inUse = other;
    try {
      return await work();
    } finally {
      inUse = null;
    }
  }

  function ask(path: string, body: object): Promise<Response> {
    const headers = { 'content-type': 'application/json' };
    return fetch(`${bankUrl}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async function post(path: string, body: object): Promise<void> {
    const answer = await ask(path, body);
    if (!answer.ok) throw new Error(`the bank answered ${answer.status}: ${await answer.text()}`);
  }

  let count = 0;
  async function addUser(role: 'User' | 'Operator'): Promise<number> {
    count += 1;
    const phone = `+38063${String(count).padStart(7, '0')}`;
    return steps.run((step) =>
      features.accounts.users.add(step, { name: role, phone, passwordHash: null as never, role }),
    );
  }
  const staff = await addUser('Operator');
  const giver = await addUser('Operator');

  /** Lets the bank and our due work finish what was started for this user. */
  async function settleAtBank(user: number): Promise<void> {
    await parts.runDue(user);
    manual.advance(bankMs);
    await parts.runDue(user);
  }

  async function openPayment(operation: number, user: number, paidBy: PaidBy): Promise<number> {
    if (paidBy === 'free') return 0;
    const hold = { operation, user, deposit: kopecks(deposit), description: 'Charging' };
    const { id } = await steps.run((step) =>
      features.payments.service.openHold(
        step,
        paidBy === 'card'
          ? { ...hold, method: 'bank', redirectUrl: 'https://fpay.test' }
          : { ...hold, method: 'bonuses' },
      ),
    );
    if (paidBy === 'card') await features.payments.service.pageOf(id);
    return id;
  }

  async function paidAtBank(payment: number, user: number, how: 'pay' | 'decline'): Promise<void> {
    const { invoice } = (await features.payments.store.find(payment)) ?? {};
    await post(`invoices/${invoice}/${how}`, {});
    await features.payments.service.lookNow(payment);
    await parts.runDue(user);
  }

  /** What the device would have caused until then. */
  async function reach(operation: number, status: OperationStatus, paidBy: PaidBy): Promise<number> {
    const began = withEnergy.includes(status);
    const owed = began && paidBy !== 'free' ? total : 0;
    const now = clock.now();
    // A start that has not been sent yet is due; it is sent when a test runs the due work of operations.
    const dueAt = status === 'pending' || status === 'starting' ? now : null;
    await sql`update operations set status = ${status}, status_at = ${now}, energy_wh = ${began ? energyWh : 0},
      total = ${owed}, real_total = ${owed}, started_at = ${began ? now : null}, next_action_at = ${dueAt}
      where id = ${operation}`.execute(db);
    if (!began) return 0;
    const { rows } = await sql<{ id: number }>`
      insert into ocpp_transactions (charge_point_id, connector_id, ocpp_connector, operation_id, id_tag, meter_start_wh,
        device_started_at, started_at)
      select charge_point_id, connector_id, 1, id, id_tag, 0, ${now.toISOString()}, ${now} from operations
      where id = ${operation} returning id`.execute(db);
    return rows[0]?.id ?? 0;
  }

  /** A charge in this state, as the product itself would have left it. */
  async function subjectIn(status: OperationStatus, paidBy: PaidBy): Promise<StaffSubject> {
    const user = await addUser('User');
    const gift = { staff: giver, user, amount: kopecks(1000_00), requestKey: randomUUID() };
    await features.wallet.staffMoney.increase(gift);
    const operation = await addOperation({ db }, user, 'created');
    const method = { card: 'bank', balance: 'bonuses', free: 'free' }[paidBy];
    const { rows } = await sql<{ charge_point_id: number }>`
      update operations set payment_type = ${method}, deposit = ${paidBy === 'free' ? 0 : deposit},
        price = case when ${paidBy} = 'free' then 0 else price end, created_at = ${clock.now()}
      where id = ${operation} returning charge_point_id`.execute(db);
    const payment = await openPayment(operation, user, paidBy);
    const subject = { staff, user, operation, payment, chargePoint: rows[0]?.charge_point_id ?? 0, transaction: 0 };
    const order = () => ({ ...subject, requestKey: randomUUID() });
    if (status === 'created') return order();
    if (status === 'failed_hold') {
      await paidAtBank(payment, user, 'decline');
      return order();
    }
    if (paidBy === 'card') await paidAtBank(payment, user, 'pay');
    const isEnded = isAmong(finalStatuses, status);
    const hasEnergy = withEnergy.includes(status);
    const first =
      hasEnergy && (isEnded || status === 'pending_final_payment') ? 'ongoing' : isEnded ? 'starting' : status;
    subject.transaction = await reach(operation, first, paidBy);
    if (status === first) return order();
    if (status === 'pending_final_payment') await post('switches', { finalize: 'error500' });
    if (hasEnergy) await features.charging.staff.act(order(), { action: 'finish' });
    else await features.charging.staff.act(order(), { action: 'force_status', status });
    await settleAtBank(user);
    if (status === 'pending_final_payment') await post('switches', { finalize: 'off' });
    return order();
  }

  /** Everything about a charge that an action may change. */
  async function stateOf({ operation, payment, user }: Pick<StaffSubject, 'operation' | 'payment' | 'user'>) {
    const { rows } = await sql<StaffState>`${sql.raw(preparedStatementMarker)}
      select o.status, o.energy_wh as energy, o.deposit, o.total, o.lost, o.next_action_at is not null as is_due, p.hold_status as payment,
        p.wanted, p.captured, p.refunded, p.lost as payment_lost, a.balance,
        (select coalesce(jsonb_agg(jsonb_build_array(t.kind, t.amount) order by t.id), '[]') from transfers t
          where t.operation_id = o.id or t.payment_id = p.id or a.id in (t.from_account, t.to_account)) as transfers,
        (select coalesce(jsonb_agg(c.action order by c.id), '[]') from commands c
          where c.charge_point_id = o.charge_point_id) as commands,
        (select count(*)::int from refunds r where r.payment_id = p.id) as refunds,
        (select count(*)::int from operation_log l where l.operation_id = o.id) as lines,
        (select count(*)::int from audit x where (x.subject_kind, x.subject_id) in
          (('operation', o.id::text), ('payment', p.id::text), ('user', u.id::text))) as records
      from operations o left join payments p on p.id = ${payment} join users u on u.id = ${user}
        join accounts a on a.id = u.wallet_id
      where o.id = ${operation}`.execute(db);
    const [state] = rows;
    if (!state) throw new Error(`there is no operation ${operation}`);
    return state;
  }

  /** What the bank has captured of this payment, whether our books know it or not. */
  async function capturedAtBank(payment: number): Promise<number> {
    const { invoice } = (await features.payments.store.find(payment)) ?? {};
    if (!invoice) return 0;
    const { finalAmount = 0 } = (await (await fetch(`${bankUrl}/invoices/${invoice}`)).json()) as {
      finalAmount?: number;
    };
    return finalAmount;
  }

  return {
    ...parts,
    capturedAtBank,
    databaseUrl: database.appUrl,
    bankUrl,
    clock,
    withSteps,
    staff,
    subjectIn,
    stateOf,
    settleAtBank,
    /** Lets time pass, for us and for the bank. */
    advance: (ms: number) => manual.advance(ms),
    switchBank: (switches: object) => post('switches', switches),
    /** What somebody does at the bank, which may refuse it. */
    atBank: async (path: string, body: object) => void (await (await ask(path, body)).text()),
    async close(): Promise<void> {
      await parts.close();
      await sandbox.close();
      rmSync(dataDir, { recursive: true, force: true });
      await database.drop();
    },
  };
}

export interface StaffState {
  status: OperationStatus;
  energy: number;
  deposit: number;
  total: number;
  lost: number;
  is_due: boolean;
  payment: string | null;
  wanted: string | null;
  captured: number | null;
  refunded: number | null;
  payment_lost: number | null;
  balance: number;
  transfers: [kind: string, amount: number][];
  commands: string[];
  refunds: number;
  lines: number;
  records: number;
}
