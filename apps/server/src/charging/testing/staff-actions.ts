import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperationStatus } from '@fpay/contract/charging';
import { kopecks, wattHours } from '@fpay/contract/money';
import { sql } from 'kysely';
import { pino } from 'pino';
import { readConfig } from '../../config.ts';
import { createFeatures, type Features } from '../../features.ts';
import { paymentRules } from '../../payments/ledger-rules.ts';
import { openPlatform } from '../../platform/platform.ts';
import type { Steps } from '../../platform/step.ts';
import { testDatabase } from '../../testing/database.ts';
import { addOperation } from '../../testing/operation.ts';
import { checkLedger, ledgerRules } from '../../wallet/check.ts';

export type PaidBy = 'balance' | 'card';

export interface StaffSubject {
  staff: number;
  user: number;
  operation: number;
  payment: number;
  requestKey: string;
}

const energyWh = 100;
const total = 1_50;
const deposit = 150_00;
const withEnergy: OperationStatus[] = ['ongoing', 'finishing', 'pending_final_payment', 'finished'];

/** Every corrective action of staff on a charge and its money. */
export const staffActions: Record<string, (features: Features, subject: StaffSubject) => Promise<unknown>> = {
  'soft start': ({ charging }, subject) => charging.staff.softStart(subject),
  'soft stop': ({ charging }, { staff, operation }) => charging.softStop({ id: staff, role: 'Operator' }, operation),
  'soft cancel': ({ charging }, subject) => charging.staff.softCancel(subject),
  finish: ({ charging }, subject) => charging.staff.finish(subject),
  'force canceled': ({ charging }, subject) => charging.staff.forceStatus(subject, 'canceled'),
  'force failed': ({ charging }, subject) => charging.staff.forceStatus(subject, 'failed'),
  'force finished': ({ charging }, subject) => charging.staff.forceStatus(subject, 'finished'),
  'force ongoing': ({ charging }, subject) => charging.staff.forceStatus(subject, 'ongoing'),
  'force energy': ({ charging }, subject) => charging.staff.forceEnergy(subject, wattHours(60), true),
  'force hold': ({ payments }, subject) => payments.staffActions.overrideStatus(subject, 'reversed'),
  'cancel hold': ({ payments }, subject) => payments.staffActions.cancelHold(subject),
  finalize: ({ payments }, subject) => payments.staffActions.finalize(subject, kopecks(1_00)),
  'cancel payment': ({ payments }, subject) => payments.staffActions.cancelPayment(subject, undefined),
  'cancel transaction': (features, subject) => cancelTransaction(features, subject, false),
  'cancel transaction, a part': (features, subject) => cancelTransaction(features, subject, true),
};

async function cancelTransaction({ wallet }: Features, subject: StaffSubject, allowPartial: boolean): Promise<unknown> {
  const { staff, user, operation, requestKey } = subject;
  const entries = await wallet.service.transactions(user, {});
  const paid = entries.find((entry) => entry.context.charging_operation_id === operation && entry.amount < 0);
  const order = { staff, transaction: paid?.id ?? 0, cancelPayment: false, allowPartial, requestKey };
  return wallet.staffMoney.cancelTransaction(order);
}

/** The features on a database of their own, without sockets and without due work, so that nothing else changes a row. */
export async function openStaffActions() {
  const { appUrl } = await testDatabase();
  const { platform, close } = openPlatform({
    databaseUrl: appUrl,
    log: pino({ level: process.env.TEST_LOG ?? 'silent' }),
  });
  const env = { SECRET: randomBytes(32).toString('hex'), DATA_DIR: mkdtempSync(join(tmpdir(), 'fpay-test-')) };
  // Port 1 refuses at once, so staff decide on the state that was known last.
  const config = readConfig({ ...env, BANK_URL: 'http://127.0.0.1:1' }, { mode: 'demo', roles: ['api'] });
  const { db, steps } = platform;
  let inUse = steps;
  const switched: Steps = { run: (work) => inUse.run(work), single: (statement) => inUse.single(statement) };
  const features = createFeatures({ platform: { ...platform, steps: switched }, config, publish() {} });
  /** Runs an action with other steps than the usual ones, for example with steps that crash. */
  async function withSteps<T>(other: Steps, work: () => Promise<T>): Promise<T> {
    inUse = other;
    try {
      return await work();
    } finally {
      inUse = steps;
    }
  }
  const { users } = features.accounts;
  let count = 0;

  async function addUser(role: 'User' | 'Operator'): Promise<number> {
    count += 1;
    const phone = `+38063${String(count).padStart(7, '0')}`;
    return steps.run((step) => users.add(step, { name: role, phone, passwordHash: null as never, role }));
  }
  const staff = await addUser('Operator');
  const giver = await addUser('Operator');

  /** A charge in this state, as the product itself would have left it. */
  async function subjectIn(status: OperationStatus, paidBy: PaidBy): Promise<StaffSubject> {
    const user = await addUser('User');
    await features.wallet.staffMoney.increase({
      staff: giver,
      user,
      amount: kopecks(1000_00),
      requestKey: randomUUID(),
    });
    const operation = await addOperation({ db }, user, 'created');
    const method = paidBy === 'card' ? 'bank' : 'bonuses';
    await sql`update operations set payment_type = ${method}, deposit = ${deposit} where id = ${operation}`.execute(db);
    const hold = { operation, user, method, deposit: kopecks(deposit), description: 'Charging' } as const;
    const { id: payment } = await steps.run((step) =>
      features.payments.service.openHold(
        step,
        paidBy === 'card' ? { ...hold, redirectUrl: 'https://fpay.test' } : hold,
      ),
    );
    const subject = { staff, user, operation, payment, requestKey: randomUUID() };
    if (paidBy === 'card') {
      await sql`update payments set status = 'hold', held_at = now(), invoice_id = ${`inv-${payment}`}, next_action_at = null
        where id = ${payment}`.execute(db);
    }
    const began = withEnergy.includes(status);
    const first = began ? (status === 'finished' ? 'ongoing' : status) : isEnded(status) ? 'starting' : status;
    await sql`update operations set status = ${first}, energy_wh = ${began ? energyWh : 0}, total = ${began ? total : 0},
      real_total = ${began ? total : 0}, started_at = ${began ? new Date() : null} where id = ${operation}`.execute(db);
    if (began) {
      await sql`insert into ocpp_transactions (charge_point_id, connector_id, ocpp_connector, operation_id, id_tag, meter_start_wh,
        device_started_at, started_at) select charge_point_id, connector_id, 1, id, id_tag, 0, now()::text, now()
        from operations where id = ${operation}`.execute(db);
    }
    if (isEnded(status)) {
      await features.charging.staff.forceStatus({ ...subject, requestKey: randomUUID() }, status);
      if (paidBy === 'card') await closeCard(payment, status === 'finished');
    }
    return subject;
  }

  /** What the bank's answer would do: the capture or the release that was wanted is done. */
  async function closeCard(payment: number, isCaptured: boolean): Promise<void> {
    await features.payments.service.lookNow(payment).catch(() => {});
    if (isCaptured) {
      await sql`select post_transfers(jsonb_build_array(jsonb_build_object('key', 'payment:' || id || ':capture', 'kind', 'capture',
        'from', 1, 'to', 2, 'amount', ${total}::bigint, 'payment', id, 'operation', operation_id, 'at', now())), '{}')
        from payments where id = ${payment}`.execute(db);
    }
    await sql`update payments set status = ${isCaptured ? 'success' : 'reversed'}, captured = ${isCaptured ? total : 0},
      wanted = null, next_action_at = null, closed_at = now() where id = ${payment}`.execute(db);
  }

  /** Everything about a charge that an action may change. */
  async function stateOf({ operation, payment, user }: StaffSubject) {
    const { rows } = await sql<Record<string, unknown>>`
      select o.status, o.energy_wh as energy, o.total, o.next_action_at is not null as is_due, p.hold_status as payment, p.wanted,
        p.captured, a.balance,
        (select coalesce(jsonb_agg(jsonb_build_array(t.kind, t.amount) order by t.id), '[]') from transfers t
          where t.operation_id = o.id or t.payment_id = p.id) as transfers,
        (select coalesce(jsonb_agg(c.action order by c.id), '[]') from commands c where c.operation_id = o.id) as commands,
        (select count(*)::int from refunds r where r.payment_id = p.id) as refunds,
        (select count(*)::int from operation_log l where l.operation_id = o.id) as lines,
        (select count(*)::int from audit x where x.subject_id in (o.id::text, p.id::text) or x.staff_id = ${staff}) as records
      from operations o join payments p on p.id = ${payment} join users u on u.id = ${user} join accounts a on a.id = u.wallet_id
      where o.id = ${operation}`.execute(db);
    return rows[0] ?? {};
  }

  return {
    db,
    steps,
    features,
    withSteps,
    staff,
    subjectIn,
    stateOf,
    faults: () => checkLedger(db, [...ledgerRules, ...paymentRules]),
    close,
  };
}

function isEnded(status: OperationStatus): boolean {
  return ['finished', 'canceled', 'failed', 'failed_hold'].includes(status);
}
