import { randomBytes } from 'node:crypto';
import { cancelHold } from '@fpay/contract/admin/actions/cancel-hold';
import { cancelPayment } from '@fpay/contract/admin/actions/cancel-payment';
import { finalizePayment } from '@fpay/contract/admin/actions/finalize';
import { softStop } from '@fpay/contract/admin/actions/soft-stop';
import { isOpen } from '@fpay/contract/charging';
import type { Kopecks } from '@fpay/contract/money';

import { nonceBytes } from '@fpay/contract/signature';
import { decreaseBalance, increaseBalance } from '@fpay/contract/wallet';
import { demo } from '@fpay/sandbox/src/demo.ts';
import type { Random } from '@fpay/simulator/src/random.ts';
import type { Database } from '../../platform/database.ts';
import type { Client, SignOptions, TestAnswer } from '../../testing/client.ts';
import type { Timeline } from '../../testing/timeline.ts';
import type { Driver } from './crowd-driver.ts';
import { createStaffCalls } from './crowd-staff.ts';
import { type Act, isDecidedByStaff, type Moment, type Trouble, type TroubleName, troubles } from './crowd-trouble.ts';
import { staffActions } from './staff-actions.ts';

interface Dependencies {
  db: Database;
  bankUrl: string;
  staff: readonly [Client, Client];
  timeline: Timeline;
  random: Random;
}

const factorySampleSeconds = '60';
/** In real time; usually within a second. */
const mostSetUpMs = 60_000;
/** The longest delay after the moment, in the stack's milliseconds, unless the trouble has its own. */
const mostDelayMs = 20_000;
/** A server that answers 5xx this often will not recover. */
const mostTries = 200;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Applies a driver's trouble to the charge at a random moment, and records it. */
export function createActs({ db, bankUrl, staff: colleagues, timeline, random }: Dependencies) {
  const [staff] = colleagues;
  const delay = (ms: number) => new Promise<void>((resolve) => timeline.simulator.after(ms, resolve));

  async function atBank(call: 'finalize' | 'cancel', body: object): Promise<boolean> {
    const headers = { 'content-type': 'application/json', 'x-token': demo.bankToken };
    const url = `${bankUrl}/api/merchant/invoice/${call}`;
    const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return status < 300;
  }

  /** Staff repeat a call until it is answered, as drivers do. */
  async function byStaff<T>(call: (options: SignOptions) => Promise<TestAnswer<T>>): Promise<TestAnswer<T>> {
    const nonce = randomBytes(nonceBytes).toString('base64url');
    for (let tries = 1; ; tries += 1) {
      const answer = await call({ nonce }).catch(() => null);
      if (answer && answer.status < 500) return answer;
      if (answer && tries >= mostTries) return answer;
      await pause(250);
    }
  }

  async function paymentOf({ operation }: Driver) {
    const row = await db
      .selectFrom('payments')
      .innerJoin('operations', 'operations.id', 'payments.operation_id')
      .select([
        'payments.id',
        'payments.invoice_id',
        'payments.captured',
        'payments.is_overridden',
        'operations.status',
      ])
      .where('payments.operation_id', '=', operation ?? 0)
      .executeTakeFirst();
    return row ?? null;
  }

  type Doing = (driver: Driver, payment: NonNullable<Awaited<ReturnType<typeof paymentOf>>>) => Promise<Act[]>;
  const share = (amount: number) => Math.max(1, Math.round(amount * random.between(0.05, 0.95))) as Kopecks;
  const act = (name: string, amount: number, isDone: boolean, fault: string | null = null): Act => ({
    name,
    amount,
    isDone,
    fault,
  });
  const answered = (name: string, amount: number, { status }: TestAnswer): Act =>
    act(name, amount, status === 200, status >= 500 ? `${name} was answered ${status}` : null);

  async function captures(invoiceId: string | null, amount: number): Promise<Act> {
    return act('capture', amount, await atBank('finalize', { invoiceId, amount }));
  }
  async function returns(invoiceId: string | null, amount: number): Promise<Act> {
    return act('return', amount, await atBank('cancel', { invoiceId, amount }));
  }

  const part: Doing = async ({ deposit }, { invoice_id }) => [await captures(invoice_id, share(deposit * 100))];
  const byStaffMember = createStaffCalls({ db, insist: byStaff });
  const actNames = Object.keys(staffActions) as [string, ...string[]];

  /** One of them acts, the other, or both at the same moment; then there may be another round. */
  async function twoStaff({ user, operation }: Driver, payment: number): Promise<Act[]> {
    const acts: Act[] = [];
    for (let more = true; more; more = random.chance(0.5)) {
      const present = random.chance(0.5) ? colleagues : [random.pick(colleagues)];
      const calls = present.map((client) =>
        byStaffMember(client, random.pick(actNames), { user, operation: operation ?? 0, payment }),
      );
      acts.push(...(await Promise.all(calls)));
      await delay(random.between(0, mostDelayMs));
    }
    return acts;
  }
  const params = (payment: { id: number }) => ({ paymentId: String(payment.id) });
  const money = (user: number, amount: Kopecks) => ({ body: { user_id: user, amount } }) as never;

  const doings: Record<TroubleName, Doing> = {
    'bank captures a part': part,
    'bank captures early': part,
    'bank captures, driver cancels': part,
    'bank captures all': async ({ deposit }, { invoice_id }) => [await captures(invoice_id, deposit * 100)],
    'bank captures and returns': async ({ deposit }, { invoice_id }) => {
      const captured = await captures(invoice_id, share(deposit * 100));
      // The bank needs a moment for the capture.
      await delay(random.between(5_000, mostDelayMs));
      return [captured, await returns(invoice_id, share(captured.amount))];
    },
    'bank cancels the hold': async ({ deposit }, { invoice_id }) => [
      act('cancel', deposit * 100, await atBank('cancel', { invoiceId: invoice_id })),
    ],
    'bank returns later': async (_driver, { invoice_id, captured }) =>
      captured === 0 ? [] : [await returns(invoice_id, share(captured))],
    'staff stop': async ({ operation }) => {
      const id = String(operation);
      return [answered('stop', 0, await byStaff((options) => staff.call(softStop, { params: { id } }, options)))];
    },
    'staff finalize': async (driver, payment) => {
      const body = { amount: share(driver.deposit * 100) };
      const answer = await byStaff((options) =>
        staff.call(finalizePayment, { params: params(payment), body }, options),
      );
      const after = await paymentOf(driver);
      const stillOpen = after !== null && isOpen(after.status as never) && after.status !== 'pending_final_payment';
      const fault = answer.status === 200 && stillOpen ? 'staff could finalize while the charge was open' : null;
      const done = answered('finalize', body.amount, answer);
      return [fault ? { ...done, fault } : done];
    },
    'staff cancel the hold': async ({ deposit }, payment) => {
      const answer = await byStaff((options) => staff.call(cancelHold, { params: params(payment) }, options));
      return [answered('cancel', deposit * 100, answer)];
    },
    'staff return later': async (_driver, payment) => {
      if (payment.captured === 0) return [];
      const body = { amount: share(payment.captured) };
      const answer = await byStaff((options) => staff.call(cancelPayment, { params: params(payment), body }, options));
      return [answered('return', body.amount, answer)];
    },
    'two staff': (driver, { id }) => twoStaff(driver, id),
    'staff give': async ({ user }) => {
      const amount = share(50_00);
      return [
        answered('give', amount, await byStaff((options) => staff.call(increaseBalance, money(user, amount), options))),
      ];
    },
    'staff take': async ({ user }) => {
      const amount = share(50_00);
      return [
        answered('take', amount, await byStaff((options) => staff.call(decreaseBalance, money(user, amount), options))),
      ];
    },
    'forgets at boot': async () => [],
    'forgets midway': async (driver) => {
      forget(driver);
      return [act('forget', 0, true)];
    },
  };

  function forget({ device }: Driver): void {
    device.configuration.change('MeterValueSampleInterval', factorySampleSeconds);
  }

  async function reached(driver: Driver, moment: Moment, isPlayed: () => boolean): Promise<boolean> {
    const plug = driver.device.connector(1);
    const isThere = {
      paid: () => driver.operation !== null,
      charging: () => driver.operation !== null && plug.transaction !== null,
      over: isPlayed,
    } as const satisfies Record<Moment, () => boolean>;
    while (!isThere[moment]()) {
      if (isPlayed()) return false;
      await pause(50);
    }
    if (moment === 'over') await over(driver);
    return driver.operation !== null;
  }

  async function over(driver: Driver): Promise<void> {
    const until = timeline.now() + 30 * 60_000;
    while (timeline.now() < until) {
      const payment = await paymentOf(driver).catch(() => null);
      if (!payment || !isOpen(payment.status as never)) return;
      await pause(1_000);
    }
  }

  /** A charge that staff forced may stay open or hold money until they say what becomes of it, and now they do. */
  async function closeByStaff(drivers: readonly Driver[], open: ReadonlySet<number>): Promise<void> {
    for (const driver of drivers.filter(({ trouble }) => isDecidedByStaff(trouble))) {
      const payment = driver.operation === null ? null : await paymentOf(driver);
      if (!payment || driver.operation === null) continue;
      const about = { user: driver.user, operation: driver.operation, payment: payment.id };
      if (open.has(driver.operation)) driver.acts.push(await byStaffMember(staff, 'force status failed', about));
      if (payment.is_overridden) driver.acts.push(await byStaffMember(staff, 'cancel hold', about));
    }
  }

  return {
    closeByStaff,

    /**
     * Before the driver comes: the charge point has been configured by us, as every one is before it opens. One that is
     * forgetful has lost its settings and booted again.
     */
    async prepare({ device, scenario, trouble }: Driver): Promise<void> {
      if (scenario === 'offline') return;
      const until = performance.now() + mostSetUpMs;
      const isSetUp = () =>
        device.configuration.read(['MeterValueSampleInterval']).configurationKey[0]?.value !== factorySampleSeconds;
      while (!isSetUp() && performance.now() < until) await pause(50);
      if (trouble !== 'forgets at boot') return;
      device.configuration.change('MeterValueSampleInterval', factorySampleSeconds);
      device.restart('PowerLoss');
    },

    /** While the driver charges. */
    async trouble(driver: Driver, isPlayed: () => boolean): Promise<void> {
      if (driver.trouble === null) return;
      const { moments, withinMs = mostDelayMs }: Trouble = troubles[driver.trouble];
      const moment = random.pick(moments);
      if (!(await reached(driver, moment, isPlayed))) return;
      await delay(random.between(0, withinMs));
      const payment = await paymentOf(driver);
      if (payment) driver.acts.push(...(await doings[driver.trouble](driver, payment)));
    },
  };
}
