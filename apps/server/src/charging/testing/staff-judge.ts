import { finalStatuses, isAmong, type OperationStatus, unbilledStatuses } from '@fpay/contract/charging';
import { sql } from 'kysely';
import { type Database, preparedStatementMarker } from '../../platform/database.ts';
import { createReceiptStore } from '../../receipts/store.ts';
import { network } from '../../wallet/transfer.ts';
import type { StaffSubject } from './staff-actions.ts';

interface Dependencies {
  db: Database;
  bankUrl: string;
}

type JudgedCharge = Pick<StaffSubject, 'operation' | 'payment' | 'user'>;

/** The action sets the energy and may leave the total as it was. */
export const forcesEnergy = (name: string) => name.startsWith('force energy') && !name.endsWith('update_total');

export interface JudgedAfter {
  /** What staff gave the driver and took, in kopecks. */
  byHand: number;
  /** The watchdogs have had their time. */
  isWatched?: boolean;
  /** Staff set the energy and left the total as it was. */
  isEnergyForced?: boolean;
}

export interface MoneyVerdict {
  faults: string[];
  /** Money of the driver is set aside, or the charge is open: something must still happen. */
  isOpen: boolean;
}

/** What the tables say, each sum from its own rows. */
interface Facts {
  status: OperationStatus;
  energy: number;
  total: number;
  lost: number;
  price: number;
  deposit: number;
  is_free: boolean;
  is_operation_due: boolean;
  is_charging: boolean;
  payment: string | null;
  invoice: string | null;
  is_overridden: boolean | null;
  captured: number;
  refunded: number;
  reserve: number;
  on_its_way: number;
  balance: number;
  /** The entries of the wallet, and those of them that staff gave or took by hand. */
  entries: number;
  by_hand: number;
  /** Through the bank's account, for this payment. */
  cleared: number;
  /** Booked as lost for the payment. */
  booked_lost: number;
  /** What staff returned of a bill. */
  returned: number;
}

/** What the bank says about the invoice. */
interface AtBank {
  held: number;
  kept: number;
  isBusy: boolean;
}

const nothingAtBank: AtBank = { held: 0, kept: 0, isBusy: false };

/**
 * Says whether the money of one charge is right, from the rows of transfers and from the bank's own rows. It repeats none of the
 * product's computations, so a mistake of both would have to be made twice.
 */
export function createStaffJudge({ db, bankUrl }: Dependencies) {
  const receipts = createReceiptStore(db);

  async function factsOf({ operation, payment, user }: JudgedCharge): Promise<Facts> {
    const { clearing, losses, revenue, staff } = network;
    const signed = (account: unknown) => sql`case when t.to_account = ${account} then t.amount else -t.amount end`;
    const sumOf = (what: unknown, where: unknown) =>
      sql`(select coalesce(sum(${what}), 0)::bigint from transfers t where ${where})`;
    const wallet = sql`u.wallet_id`;
    const ofWallet = sql`${wallet} in (t.from_account, t.to_account)`;
    const { rows } = await sql<Facts>`${sql.raw(preparedStatementMarker)}
      select o.status, o.energy_wh as energy, o.total, o.lost, o.price, o.deposit, o.payment_type = 'free' as is_free,
        o.next_action_at is not null as is_operation_due,
        exists (select from ocpp_transactions x where x.operation_id = o.id and x.stopped_at is null) as is_charging,
        p.status as payment, p.invoice_id as invoice, p.is_overridden,
        coalesce(p.captured, 0) as captured, coalesce(p.refunded, 0) as refunded,
        coalesce((select a.balance from accounts a where a.kind = 'reserve' and a.operation_id = o.id), 0)::bigint as reserve,
        coalesce((select a.balance from accounts a where a.kind = 'refund' and a.payment_id = p.id), 0)::bigint as on_its_way,
        (select a.balance from accounts a where a.id = ${wallet}) as balance,
        ${sumOf(signed(wallet), ofWallet)} as entries,
        ${sumOf(signed(wallet), sql`${ofWallet} and ${staff} in (t.from_account, t.to_account)`)} as by_hand,
        ${sumOf(sql`-(${signed(clearing)})`, sql`t.payment_id = p.id and ${clearing} in (t.from_account, t.to_account)`)} as cleared,
        ${sumOf(signed(revenue), sql`t.payment_id = p.id and t.kind = 'lost' and ${losses} in (t.from_account, t.to_account)`)} as booked_lost,
        ${sumOf(sql`t.amount`, sql`t.operation_id = o.id and t.kind = 'reversal' and t.to_account = ${wallet}`)}
          + coalesce((select sum(r.amount) from refunds r where r.payment_id = p.id and r.staff_id is not null
              and r.status = 'success'), 0)::bigint as returned
      from operations o join users u on u.id = ${user} left join payments p on p.id = ${payment} where o.id = ${operation}`.execute(
      db,
    );
    const [facts] = rows;
    if (!facts) throw new Error(`there is no operation ${operation}`);
    return facts;
  }

  async function askBank(invoice: string | null): Promise<AtBank> {
    if (invoice === null) return nothingAtBank;
    const answer = await fetch(`${bankUrl}/invoices/${invoice}`);
    const { status, amount, finalAmount, cancelList } = (await answer.json()) as {
      status: string;
      amount: number;
      finalAmount?: number;
      cancelList?: { status: string }[];
    };
    const isBusy = status === 'processing' || (cancelList ?? []).some((cancel) => cancel.status === 'processing');
    return { held: status === 'hold' ? amount : 0, kept: finalAmount ?? 0, isBusy };
  }

  /** After everything that was due has run. */
  return async function judge(subject: JudgedCharge, after: JudgedAfter): Promise<MoneyVerdict> {
    const { byHand, isWatched = false, isEnergyForced = false } = after;
    const facts = await factsOf(subject);
    const bank = await askBank(facts.invoice);
    const { receipt = null } = (await receipts.find(subject.operation)) ?? {};
    const isFinal = isAmong(finalStatuses, facts.status);
    const isHeld = bank.held > 0 || facts.reserve > 0;
    const faults = [
      ...bankFaults(facts, bank),
      ...walletFaults(facts, byHand),
      ...(isFinal ? [...endFaults(facts, bank), ...totalFaults(facts, isEnergyForced)] : openFaults(facts, isWatched)),
      ...(isFinal ? receiptFaults(facts, bank, receipt) : []),
    ];
    return { faults, isOpen: !isFinal || isHeld };
  };
}

const uah = (kopecks: number) => (kopecks / 100).toFixed(2);
const fault = (isWrong: boolean, text: string) => (isWrong ? [text] : []);

/** What has left the wallet for this charge, and what the bank has collected for it. */
const paidFromWallet = ({ by_hand, balance }: Facts) => by_hand - balance;
const paid = (facts: Facts, bank: AtBank) => paidFromWallet(facts) - facts.reserve + bank.kept;

function bankFaults({ invoice, cleared, captured, refunded, on_its_way }: Facts, { kept, isBusy }: AtBank): string[] {
  if (invoice === null) return [];
  const booked = cleared + on_its_way;
  return [
    ...fault(isBusy || on_its_way !== 0, `the bank is still working, or ${uah(on_its_way)} is on its way back`),
    ...fault(booked !== kept, `the bank has ${uah(kept)} of ours, the books say ${uah(booked)}`),
    ...fault(captured - refunded !== kept, `the bank has ${uah(kept)}, the payment says ${uah(captured - refunded)}`),
  ];
}

function walletFaults(facts: Facts, byHand: number): string[] {
  const { balance, entries, by_hand, reserve, captured, refunded, invoice } = facts;
  const fromWallet = paidFromWallet(facts) - reserve;
  return [
    ...fault(balance !== entries, `the balance is ${uah(balance)}, its entries are ${uah(entries)}`),
    ...fault(by_hand !== byHand, `staff gave ${uah(byHand)} in all, the books say ${uah(by_hand)}`),
    ...fault(
      invoice === null && fromWallet !== captured - refunded,
      `${uah(fromWallet)} left the wallet, the payment says ${uah(captured - refunded)}`,
    ),
    ...fault(invoice !== null && fromWallet !== 0, `${uah(fromWallet)} left the wallet of a driver who paid by card`),
  ];
}

/** A charge that has ended: nothing is set aside, and what was paid is its total. */
function endFaults(facts: Facts, bank: AtBank): string[] {
  const { status, total, lost, returned, booked_lost, reserve, is_overridden, is_operation_due } = facts;
  const kept = paid(facts, bank);
  const held = bank.held + reserve;
  const isUnbilled = isAmong(unbilledStatuses, status);
  const missing = total - lost - kept;
  return [
    ...fault(held > 0 && !is_overridden, `${uah(held)} is held for a charge that is ${status}`),
    ...fault(kept < 0, `${uah(-kept)} more was given back than taken`),
    ...fault(isUnbilled && kept > 0, `${uah(kept)} was kept of a charge that is ${status}`),
    // Money that an override still holds pays for the charge as soon as staff say so.
    ...fault(
      status === 'finished' && (missing < 0 || missing > returned) && !facts.is_free && held === 0,
      `total ${uah(total)}, lost ${uah(lost)}, kept ${uah(kept)}, returned by staff ${uah(returned)}`,
    ),
    ...fault(booked_lost !== lost, `${uah(lost)} is lost, ${uah(booked_lost)} is booked`),
    ...fault(is_operation_due, `something is due for a charge that is ${status}`),
  ];
}

/** A bill is its energy by the tariff, half a kopeck rounded up, and never more than the deposit. */
function totalFaults({ status, energy, price, deposit, total, is_free }: Facts, isEnergyForced: boolean): string[] {
  const costs = is_free ? 0 : Math.min(deposit, Math.floor((energy * price + 500) / 1000));
  const isWrong = status === 'finished' && !isEnergyForced && total !== costs;
  return fault(isWrong, `${energy} Wh cost ${uah(costs)}, the total is ${uah(total)}`);
}

/**
 * After the watchdogs have had their time only a device can keep a charge open: one that staff forced back to its beginning is
 * settled by the end of its transaction.
 */
function openFaults({ status, is_charging }: Facts, isWatched: boolean): string[] {
  return fault(isWatched && !is_charging, `a charge stays ${status} for ever`);
}

interface OnReceipt {
  captured: number;
  refunded: number;
  energyWh: number;
}

function receiptFaults(facts: Facts, bank: AtBank, receipt: OnReceipt | null): string[] {
  const kept = paid(facts, bank);
  if (receipt === null) return fault(kept > 0, `${uah(kept)} was paid and there is no receipt`);
  const shown = receipt.captured - receipt.refunded;
  return fault(shown !== kept, `the receipt says ${uah(shown)}, ${uah(kept)} was paid`);
}
