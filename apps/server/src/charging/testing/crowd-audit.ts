import { sql } from 'kysely';
import { paymentRules } from '../../payments/nightly/ledger-rules.ts';
import { checkLedger, ledgerRules } from '../../wallet/check.ts';
import { network } from '../../wallet/transfer.ts';
import type { Crowd, Outage } from './crowd.ts';
import { cannotCharge, type Driver } from './crowd-driver.ts';
import { priceOfKwh, wallet } from './crowd-network.ts';
import { isDecidedByStaff, troubles } from './crowd-trouble.ts';
import { createStaffJudge, forcesEnergy } from './staff-judge.ts';

/** One driver's end, seen from outside: the metered energy, the billed energy and its cost. */
export interface Ending {
  driver: Driver;
  status: string | null;
  /** The start may have been lost with a killed server, and the server waited for it as long as decided. */
  isStartLost: boolean;
  deliveredWh: number;
  billedWh: number;
  /** Flowed after the end of the bill, or after a start that came too late, and is booked to losses. */
  unbilledWh: number;
  total: number;
  /** The operator's loss according to the operation. */
  lost: number;
  /** What left the wallet, or the card at the bank, in the end, according to the bank itself. */
  paid: number;
  /** What the bank kept according to our books. */
  booked: number;
  /** The part of the total that the bank or staff returned, according to our books. */
  returnedOwed: number;
  /** Energy above the limit; negative when it ended earlier. */
  overshootWh: number;
  /** Energy that may have flowed while the server was away and could not stop it. */
  unguardedWh: number;
  /** Null when everything is right. */
  fault: string | null;
}

/** One sample at full power: what is lost when a charge point forgets to report its end, or when its meter falls. */
const unreportedWh = 60_000 * (14 / 3600);

/**
 * How far above its limit a charge may go at a charge point that forgot its configuration: rated power for 5 s, the
 * command's own delay of 1 s, and what the fast time of this stack adds to three answers and a stalled machine. A
 * charge point whose first reading comes after 60 s, and that is not guarded before it, exceeds the limit by 600 Wh.
 */
const mostOvershootWh = 400;
const ratedWhPerMs = 60_000 / 3_600_000;
/** After an outage the last charge points have reconnected, and have sent what they measured, within this time. */
const outageMarginMs = 15_000;

/** As decided, the server waits this long after the first sending for a start that may have been delivered. */
const lostStartMs = 5 * 60_000;

export async function audit({
  db,
  bankUrl,
  drivers,
  outages,
}: Pick<Crowd, 'db' | 'bankUrl' | 'drivers' | 'outages'>): Promise<{
  endings: Ending[];
  faults: string[];
  stories: string[];
}> {
  // One after another: a thousand questions at once would wait for a connection longer than the pool allows.
  const judge = createStaffJudge({ db, bankUrl });
  const endings: Ending[] = [];
  for (const driver of drivers) endings.push(await endingOf(driver));
  const ledger = await checkLedger(db, [...ledgerRules, ...paymentRules]);
  const open = await db
    .selectFrom('operations')
    .select(['id', 'status'])
    .where('status', 'in', ['created', 'pending', 'starting', 'ongoing', 'finishing', 'pending_final_payment'])
    .execute();
  const faults = [
    ...endings.flatMap(({ driver, fault }) => (fault === null ? [] : [`${nameOf(driver)}: ${fault}`])),
    ...open.map(({ id, status }) => `operation ${id} is stuck in ${status}`),
    ...ledger.map((fault) => JSON.stringify(fault)),
  ];
  const wrong = [
    ...endings.flatMap(({ driver, fault }) => (fault === null ? [] : [driver.operation])),
    ...open.map(({ id }) => id),
  ];
  return { endings, faults, stories: await Promise.all([...new Set(wrong)].slice(0, 6).map(logOf)) };

  /** The log of an operation that went wrong, for the failure message. */
  async function logOf(id: number | null): Promise<string> {
    const lines = await db
      .selectFrom('operation_log')
      .select(['created_at', 'actor', 'text'])
      .where('operation_id', '=', id ?? 0)
      .orderBy('id')
      .execute();
    const texts = lines.map(({ created_at, actor, text }) => `  ${created_at.toISOString()} ${actor}: ${text}`);
    return [`operation ${id}`, ...texts].join('\n');
  }

  async function endingOf(driver: Driver): Promise<Ending> {
    const operations = await db
      .selectFrom('operations')
      .select([
        'id',
        'status',
        'energy_wh',
        'total',
        'lost',
        'energy_limit_wh',
        'started_at',
        'finished_at',
        'billed_until',
        'start_sent_at',
        'closed_at',
      ])
      .where('user_id', '=', driver.user)
      .execute();
    const last = operations.find(({ id }) => id === driver.operation) ?? null;
    const card = await byCard(driver.user);
    const fromWallet = await paidFromWallet(driver);
    const plug = driver.device.connector(1);
    const deliveredWh = Math.round(plug.meterWh) - driver.meterBefore;
    const [from, to] = [last?.started_at?.getTime() ?? 0, last?.finished_at?.getTime() ?? Number.POSITIVE_INFINITY];
    const [sent, closed] = [last?.start_sent_at?.getTime() ?? 0, last?.closed_at?.getTime() ?? 0];
    const ending = {
      driver,
      status: last?.status ?? null,
      isStartLost: closed - sent >= lostStartMs && outages.some((outage) => overlapMs(outage, sent, closed) > 0),
      deliveredWh,
      billedWh: last?.energy_wh ?? 0,
      unbilledWh: last?.billed_until || last?.status === 'failed' ? await bookedAsLost(last) : 0,
      total: last?.total ?? 0,
      lost: last?.lost ?? 0,
      paid: fromWallet + card.kept,
      booked: fromWallet + card.booked,
      returnedOwed: last ? await returnedOwed(last.id) : 0,
      overshootWh: deliveredWh - (last?.energy_limit_wh ?? 0),
      unguardedWh: ratedWhPerMs * outages.reduce((sum, outage) => sum + overlapMs(outage, from, to), 0),
    };
    const fault = last && isDecidedByStaff(driver.trouble) ? await staffFault(driver, last.id) : faultOf(ending);
    return { ...ending, fault: operations.length > 1 ? 'opened more than one operation' : fault };
  }

  /** Staff did what they liked, so only the money is judged: what it cost and whether it was paid, the books, the bank. */
  async function staffFault({ user, acts }: Driver, operation: number): Promise<string | null> {
    const actFault = acts.find(({ fault }) => fault !== null)?.fault;
    if (actFault) return actFault;
    const payment = await db
      .selectFrom('payments')
      .select('id')
      .where('operation_id', '=', operation)
      .executeTakeFirst();
    const byHand = wallet + sumOf(acts, 'give') - sumOf(acts, 'take');
    const isEnergyForced = acts.some(({ name, isDone }) => isDone && forcesEnergy(name));
    const { faults } = await judge({ user, operation, payment: payment?.id ?? 0 }, { byHand, isEnergyForced });
    return faults.length > 0 ? faults.join('; ') : null;
  }

  /**
   * Energy that flowed more than 30 s after the driver requested the stop, or in a transaction whose start was reported
   * after the operation had failed, if it is booked to losses to the kopeck. Of a transaction whose stop was
   * never reported it is booked a day later.
   */
  async function bookedAsLost({ id, energy_wh, total }: { id: number; energy_wh: number; total: number }) {
    const transaction = await db
      .selectFrom('ocpp_transactions')
      .select(['id', 'energy_wh', 'stopped_at'])
      .where('operation_id', '=', id)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    const unbilledWh = Math.max(0, (transaction?.energy_wh ?? 0) - energy_wh);
    const lost = await db
      .selectFrom('unbilled_energy')
      .select((of) => of.fn.sum<number>('amount').as('amount'))
      .where('operation_id', '=', id)
      .executeTakeFirst();
    if (lost?.amount == null && transaction && transaction.stopped_at === null) return unbilledWh;
    // What flowed past the deposit is booked with it.
    const worth = Math.floor(((transaction?.energy_wh ?? 0) * priceOfKwh + 500) / 1000) - total;
    return Number(lost?.amount ?? 0) === worth ? unbilledWh : 0;
  }

  /** Refunds by staff, and the losses by what the bank returned without our request. */
  async function returnedOwed(operation: number): Promise<number> {
    const { rows } = await sql<{ sum: number }>`
      select (coalesce((select sum(r.amount) from refunds r
          where r.payment_id = p.id and r.staff_id is not null and r.status = 'success'), 0)
        + coalesce((select sum(case when t.from_account = ${network.losses} then t.amount else -t.amount end)
          from transfers t where t.payment_id = p.id and t.kind = 'chargeback'
            and ${network.losses} in (t.from_account, t.to_account)), 0))::bigint as sum
      from payments p where p.operation_id = ${operation}`.execute(db);
    return rows[0]?.sum ?? 0;
  }

  async function paidFromWallet({ user, acts }: Driver): Promise<number> {
    const { balance } = await db
      .selectFrom('users')
      .innerJoin('accounts', 'accounts.id', 'users.wallet_id')
      .select('accounts.balance')
      .where('users.id', '=', user)
      .executeTakeFirstOrThrow();
    return wallet + sumOf(acts, 'give') - sumOf(acts, 'take') - Number(balance);
  }

  /** What the bank itself reports as kept, and what our books say. */
  async function byCard(user: number): Promise<{ kept: number; booked: number }> {
    const payments = await db
      .selectFrom('payments')
      .innerJoin('operations', 'operations.id', 'payments.operation_id')
      .select(['payments.invoice_id', 'payments.captured', 'payments.refunded'])
      .where('operations.user_id', '=', user)
      .where('payments.invoice_id', 'is not', null)
      .execute();
    let [kept, booked] = [0, 0];
    for (const { invoice_id, captured, refunded } of payments) {
      const answer = await fetch(`${bankUrl}/invoices/${invoice_id}`);
      const invoice = (await answer.json()) as { status: string; amount: number; finalAmount?: number };
      // A sum that the bank still holds is unavailable to the driver as well. After a partial refund the bank keeps the
      // rest.
      if (['hold', 'processing'].includes(invoice.status)) kept += invoice.amount;
      else kept += invoice.finalAmount ?? 0;
      booked += captured - refunded;
    }
    return { kept, booked };
  }
}

const overlapMs = (outage: Outage, from: number, to: number) =>
  Math.max(0, Math.min(outage.to + outageMarginMs, to) - Math.max(outage.from, from));

/** The sum of the acts with this name that were not refused. */
const sumOf = (acts: Driver['acts'], name: string) =>
  acts.reduce((sum, act) => sum + (act.isDone && act.name === name ? act.amount : 0), 0);

type Facts = Omit<Ending, 'fault'>;

/** The first thing that is wrong: with what others did, with the books, with the end of the charge, with its bill. */
function faultOf(ending: Facts): string | null {
  const { paid, booked } = ending;
  const actFault = ending.driver.acts.find(({ fault }) => fault !== null)?.fault;
  if (actFault) return actFault;
  if (paid !== booked) return `the bank and the wallet kept ${paid}, but our books say ${booked}`;
  const nothing = nothingBecause(ending);
  if (nothing) return paid === 0 && ending.total === 0 ? null : `${paid} was kept ${nothing}`;
  return billFault(ending) ?? moneyFault(ending) ?? energyFault(ending);
}

/** Why the driver got nothing and so pays nothing; null when there was a charge. */
function nothingBecause({ driver, status, deliveredWh, unbilledWh, isStartLost }: Facts): string | null {
  const { scenario, plan, trouble } = driver;
  const gaveUp = plan === 'cancel' || plan === 'decline' || plan === 'leave';
  const mayCancel = gaveUp || (trouble !== null && troubles[trouble].mayCancel);
  if (cannotCharge.includes(scenario) || (mayCancel && status !== 'finished'))
    return `of a driver who got nothing (${status})`;
  const isGivenUp = status === 'failed' && isStartLost && deliveredWh === unbilledWh;
  return isGivenUp ? 'although the start was lost' : null;
}

function billFault({ driver: { deposit }, status, deliveredWh, billedWh, total }: Facts): string | null {
  if (status !== 'finished') return `ended ${status} although the charge point can charge (${deliveredWh} Wh flowed)`;
  const cost = Math.min(deposit * 100, Math.floor((billedWh * priceOfKwh + 500) / 1000));
  return total === cost ? null : `total ${total}, but ${billedWh} Wh cost ${cost}`;
}

function energyFault({ driver, deliveredWh, billedWh, unbilledWh, overshootWh, unguardedWh }: Facts): string | null {
  const { scenario, trouble } = driver;
  const isForgetful = trouble !== null && troubles[trouble].group === 'forgetful';
  const pastLimitWh = Math.round(overshootWh - unguardedWh);
  if (isForgetful && pastLimitWh > mostOvershootWh) return `${pastLimitWh} Wh past the limit`;
  if (scenario === 'forgets-stop' || scenario === 'meter-reset')
    return unreportedFault(driver, deliveredWh, billedWh + unbilledWh);
  return billedWh + unbilledWh === deliveredWh ? null : `billed ${billedWh} Wh, but ${deliveredWh} Wh flowed`;
}

/**
 * What was kept is the total, less what the operator lost, less what the bank or staff returned of it. Of a return that
 * the bank makes before we refund what was captured above the total, only the part below the total is missing.
 */
function moneyFault({ driver, total, lost, paid, returnedOwed }: Facts): string | null {
  const { trouble, acts } = driver;
  const mayLose = trouble !== null && troubles[trouble].mayLose;
  if (lost > 0 && !mayLose) return `${lost} was lost without a reason`;
  const returned = sumOf(acts, 'return');
  if (total - lost - paid === returnedOwed && returnedOwed <= returned) return null;
  return `paid ${paid}, lost ${lost}, returned ${returned}, ${returnedOwed} of it owed, but the total is ${total}`;
}

/**
 * Energy that was never reported cannot be billed; it is never more than one sample, and never to the driver's cost.
 */
function unreportedFault({ scenario, meterBefore }: Driver, deliveredWh: number, billedWh: number): string | null {
  // After the fall the register counts from zero.
  const flowedWh = scenario === 'meter-reset' && deliveredWh < 0 ? deliveredWh + meterBefore : deliveredWh;
  const leastWh = flowedWh - unreportedWh;
  if (scenario === 'forgets-stop' && billedWh > flowedWh) return `billed ${billedWh} Wh of ${flowedWh}`;
  return billedWh >= leastWh ? null : `billed ${billedWh} Wh of ${flowedWh}`;
}

const nameOf = ({ user, operation, scenario, plan, method, trouble, acts }: Driver) => {
  const done = acts.map(({ name, amount, isDone }) => `${name} ${amount} ${isDone ? 'done' : 'refused'}`).join(', ');
  return `driver ${user}, operation ${operation} (${scenario}, ${plan}, ${method}, ${trouble ?? 'no trouble'}: ${done})`;
};
