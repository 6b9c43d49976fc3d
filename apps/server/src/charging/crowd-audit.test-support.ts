import { paymentRules } from '../payments/check.ts';
import { checkLedger, ledgerRules } from '../wallet/check.ts';
import { type Crowd, priceOfKwh, wallet } from './crowd.test-support.ts';
import { cannotCharge, type Driver } from './crowd-driver.test-support.ts';

/** One driver's end, seen from outside: what the meter says that flowed, what was billed and what it cost. */
export interface Ending {
  driver: Driver;
  status: string | null;
  deliveredWh: number;
  billedWh: number;
  total: number;
  /** What left the wallet, or the card at the bank, in the end. */
  paid: number;
  /** Null: as it should be. */
  fault: string | null;
}

/** A sample's worth at full power: what a charge point that forgets to say how it ended, or whose meter fell, keeps to itself. */
const untoldWh = 60_000 * (14 / 3600);

export async function audit({ db, bankUrl, drivers }: Pick<Crowd, 'db' | 'bankUrl' | 'drivers'>): Promise<{
  endings: Ending[];
  faults: string[];
  stories: string[];
}> {
  const endings = await Promise.all(drivers.map(endingOf));
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
  return { endings, faults, stories: await Promise.all([...new Set(wrong)].slice(0, 6).map(storyOf)) };

  /** The log of an operation that went wrong: what one would look at first. */
  async function storyOf(id: number | null): Promise<string> {
    const lines = await db
      .selectFrom('operation_log')
      .select(['created_at', 'actor', 'text'])
      .where('operation_id', '=', id ?? 0)
      .orderBy('id')
      .execute();
    const told = lines.map(({ created_at, actor, text }) => `  ${created_at.toISOString()} ${actor}: ${text}`);
    return [`operation ${id}`, ...told].join('\n');
  }

  async function endingOf(driver: Driver): Promise<Ending> {
    const operations = await db
      .selectFrom('operations')
      .select(['id', 'status', 'energy_wh', 'total'])
      .where('user_id', '=', driver.user)
      .execute();
    const last = operations.find(({ id }) => id === driver.operation) ?? null;
    const paid = (await paidFromWallet(driver.user)) + (await paidByCard(driver.user));
    const plug = driver.device.connector(1);
    const ending = {
      driver,
      status: last?.status ?? null,
      deliveredWh: Math.round(plug.meterWh) - driver.meterBefore,
      billedWh: last?.energy_wh ?? 0,
      total: last?.total ?? 0,
      paid,
    };
    return { ...ending, fault: operations.length > 1 ? 'opened more than one operation' : faultOf(ending) };
  }

  async function paidFromWallet(user: number): Promise<number> {
    const { balance } = await db
      .selectFrom('users')
      .innerJoin('accounts', 'accounts.id', 'users.wallet_id')
      .select('accounts.balance')
      .where('users.id', '=', user)
      .executeTakeFirstOrThrow();
    return wallet - Number(balance);
  }

  /** The bank's own word, not ours. */
  async function paidByCard(user: number): Promise<number> {
    const payments = await db
      .selectFrom('payments')
      .innerJoin('operations', 'operations.id', 'payments.operation_id')
      .select('payments.invoice_id')
      .where('operations.user_id', '=', user)
      .where('payments.invoice_id', 'is not', null)
      .execute();
    let sum = 0;
    for (const { invoice_id } of payments) {
      const answer = await fetch(`${bankUrl}/invoices/${invoice_id}`);
      const invoice = (await answer.json()) as { status: string; amount: number; finalAmount?: number };
      // What the bank still holds is gone for the driver just as well.
      if (invoice.status === 'success') sum += invoice.finalAmount ?? 0;
      else if (['hold', 'processing'].includes(invoice.status)) sum += invoice.amount;
    }
    return sum;
  }
}

function faultOf({ driver, status, deliveredWh, billedWh, total, paid }: Omit<Ending, 'fault'>): string | null {
  const { scenario, plan, deposit } = driver;
  const gaveUp = plan === 'cancel' || plan === 'decline' || plan === 'leave';
  if (cannotCharge.includes(scenario) || (gaveUp && status !== 'finished')) {
    return paid === 0 && total === 0 ? null : `${paid} was kept of a driver who got nothing (${status})`;
  }
  if (status !== 'finished') return `ended ${status} although the charge point can charge (${deliveredWh} Wh flowed)`;
  const cost = Math.min(deposit * 100, Math.floor((billedWh * priceOfKwh + 500) / 1000));
  if (total !== cost) return `total ${total}, but ${billedWh} Wh cost ${cost}`;
  if (paid !== total) return `paid ${paid}, but the total is ${total}`;
  if (scenario === 'forgets-stop' || scenario === 'meter-reset') return untold(driver, deliveredWh, billedWh);
  return billedWh === deliveredWh ? null : `billed ${billedWh} Wh, but ${deliveredWh} Wh flowed`;
}

/** What was never told cannot be billed; but it is never more than one sample's worth, and never to the driver's cost. */
function untold({ scenario, meterBefore }: Driver, deliveredWh: number, billedWh: number): string | null {
  // After the fall the register counts from zero.
  const flowedWh = scenario === 'meter-reset' && deliveredWh < 0 ? deliveredWh + meterBefore : deliveredWh;
  const leastWh = flowedWh - untoldWh;
  if (scenario === 'forgets-stop' && billedWh > flowedWh) return `billed ${billedWh} Wh of ${flowedWh}`;
  return billedWh >= leastWh ? null : `billed ${billedWh} Wh of ${flowedWh}`;
}

const nameOf = ({ user, scenario, plan, method }: Driver) => `driver ${user} (${scenario}, ${plan}, ${method})`;

/** Per scenario: how many drivers, how they ended, what flowed, what was billed and paid. */
export function crowdTable(endings: readonly Ending[]): string {
  const names = [...new Set(endings.map(({ driver }) => driver.scenario))];
  const rows = names.map((name) => {
    const group = endings.filter(({ driver }) => driver.scenario === name);
    const sum = (of: (ending: Ending) => number) => group.reduce((all, ending) => all + of(ending), 0);
    const ended = (status: string) => String(group.filter((ending) => ending.status === status).length);
    const others = group.filter(({ status }) => status === null).length;
    return [
      name,
      String(group.length),
      ended('finished'),
      ended('canceled'),
      String(Number(ended('failed')) + Number(ended('failed_hold'))),
      String(others),
      (sum(({ billedWh }) => billedWh) / 1000).toFixed(3),
      (sum(({ total }) => total) / 100).toFixed(2),
      (sum(({ paid }) => paid) / 100).toFixed(2),
      String(group.filter(({ fault }) => fault !== null).length),
    ];
  });
  const head = [
    'charge point',
    'drivers',
    'finished',
    'canceled',
    'failed',
    'no start',
    'kWh',
    'total',
    'paid',
    'wrong',
  ];
  const widths = head.map((cell, at) => Math.max(cell.length, ...rows.map((row) => row[at]?.length ?? 0)));
  return [head, ...rows].map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')).join('\n');
}
