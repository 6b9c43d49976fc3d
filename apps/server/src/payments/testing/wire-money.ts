import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { Role } from '@fpay/contract/roles';
import type { SavedCardMode } from '@fpay/contract/settings';
import { sql } from 'kysely';
import { type Logger, pino } from 'pino';
import { createUserStore } from '../../account/store.ts';
import { createOperationStore } from '../../charging/store.ts';
import { createApprovals } from '../../platform/approvals.ts';
import { createAudit } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DueKind } from '../../platform/jobs/due-work.ts';
import { openPlatform } from '../../platform/platform.ts';
import type { Steps } from '../../platform/step.ts';
import { checkLedger, ledgerRules } from '../../wallet/check.ts';
import { createWallet } from '../../wallet/feature.ts';
import { network } from '../../wallet/transfer.ts';
import type { BankApi } from '../bank.ts';
import { usualProvider } from '../bank-terms.ts';
import { banksOf } from '../banks.ts';
import { connectToBanks, createPayments } from '../feature.ts';
import { paymentRules } from '../nightly/ledger-rules.ts';
import type { Payment } from '../payment-row.ts';
import { createOperationFixture } from './operation-fixture.ts';

const usualLog = pino({ level: process.env.TEST_LOG ?? 'silent' });

/** The token that the sandbox accepts. */
export const sandboxToken = 'sandbox-merchant-token';

export interface MoneyOptions {
  isFiscal?: boolean;
  /** Where the bank finds us. */
  siteUrl?: URL;
  giftsPerDay?: number;
  savedCards?: SavedCardMode;
  timeoutMs?: number;
  log?: Logger;
  /** Another bank was chosen for new payments; the sandbox's is then the former one. */
  newBank?: BankApi;
}

interface MoneySetup extends MoneyOptions {
  databaseUrl: string;
  bankUrl: string;
  clock: Clock;
  /** Due work of this user only, because several programs may run on one database at once. */
  onlyUser?: number;
  /** Wraps what outlives a crash. */
  wrap?: (parts: { steps: Steps; bank: BankApi }) => { steps: Steps; bank: BankApi };
}

/**
 * All of money, wired as the product wires it, on a given database and bank. It needs no test runner, because it also
 * runs in programs.
 */
export function wireMoney(setup: MoneySetup) {
  const {
    databaseUrl,
    bankUrl,
    clock,
    isFiscal = false,
    siteUrl,
    giftsPerDay = 10_000_00,
    timeoutMs,
    onlyUser,
    log = usualLog,
  } = setup;
  const { platform: usual, close } = openPlatform({ databaseUrl, log, clock });
  const { db } = usual;
  const connected = connectToBanks({
    ...usual,
    account: { provider: usualProvider, baseUrl: bankUrl, token: sandboxToken },
    former: null,
    siteUrl: siteUrl ?? null,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  const { exchanges } = connected;
  const plain = { steps: usual.steps, bank: connected.banks.current };
  const { steps, bank } = setup.wrap?.(plain) ?? plain;

  const kinds = new Map<string, DueKind>();
  const dueWork = { register: (kind: DueKind) => void kinds.set(kind.name, kind), wake: () => {} };
  const audit = createAudit(clock);
  const approvals = createApprovals({ ...usual, steps, audit, changed: () => {} });
  const publicUrl = new URL('https://fpay.test');
  const platform = { ...usual, steps, dueWork };
  const {
    ledger,
    service: wallet,
    gifts,
    sharedWallets,
    staffMoney,
    staffLimits,
    routes,
  } = createWallet({
    ...platform,
    audit,
    approvals,
    giftsPerDay,
    staffLimit: 5_000_00,
    needsSecondPerson: async () => false,
    publish: () => {},
    users: createUserStore(db, steps, clock),
    paymentSide: () => ({ topUps: payments.topUps, charges: payments.earnings }),
  });
  const operations = createOperationStore({ db, clock, events: { operationsChanged: async () => {} } });
  const payments = createPayments({
    ...platform,
    ledger,
    wallet,
    banks: setup.newBank ? banksOf(setup.newBank, [bank]) : banksOf(bank),
    exchanges,
    audit,
    approvals,
    staffLimits,
    publicUrl,
    isFiscal,
    secret: 'the secret of the tests, 32 characters',
    savedCards: setup.savedCards ?? 'charge',
    operations: () => operations,
    anomalyListed: async () => {},
    events: () => ({ paymentChanged: async () => {} }),
  });

  /** The rows that this program handles: all of them, or one user's. */
  const mine = {
    payments: onlyUser === undefined ? sql`true` : sql`user_id = ${onlyUser}`,
    refunds:
      onlyUser === undefined ? sql`true` : sql`payment_id in (select id from payments where user_id = ${onlyUser})`,
    saved_cards: onlyUser === undefined ? sql`true` : sql`user_id = ${onlyUser}`,
  } as Record<string, ReturnType<typeof sql>>;

  /** Runs everything that is due by now, and what that makes due, as due work does. */
  async function runDue(): Promise<void> {
    for (;;) {
      let count = 0;
      for (const kind of kinds.values()) {
        const { rows } = await sql<{ id: number; due_claim: number }>`
          update ${sql.table(kind.table)} set due_claim = due_claim + 1,
            next_action_at = ${clock.now()}::timestamptz + interval '45 s'
          where next_action_at <= ${clock.now()} and ${mine[kind.table]} returning id, due_claim`.execute(db);
        for (const row of rows) if ('run' in kind) await kind.run(row.id, row.due_claim);
        count += rows.length;
      }
      if (count === 0) return;
    }
  }

  /** When something is due next. */
  async function nextDueAt(): Promise<Date | null> {
    const { rows } = await sql<{ at: Date | null }>`
      select least((select min(next_action_at) from payments), (select min(next_action_at) from refunds),
        (select min(next_action_at) from saved_cards)) as at`.execute(db);
    return rows[0]?.at ?? null;
  }

  let users = 0;
  async function addUser(role: Role = 'User', phone?: string): Promise<{ id: number; phone: string; wallet: number }> {
    users += 1;
    const number = phone ?? `+38050${String(users).padStart(7, '0')}`;
    const row = await db
      .insertInto('users')
      .values({
        name: `User ${users}`,
        phone_number: number,
        role,
        is_temporary: role === 'Guest',
        created_at: clock.now(),
      })
      .returning(['id', 'wallet_id'])
      .executeTakeFirstOrThrow();
    return { id: row.id, phone: number, wallet: row.wallet_id };
  }

  let given = 0;
  async function give(user: number, amount: number): Promise<void> {
    given += 1;
    const key = `test:${given}`;
    const holder = await ledger.holder(user);
    if (!holder) throw new Error('no such user');
    const transfer = { key, kind: 'admin', from: network.staff, to: holder.wallet } as const;
    await steps.run((step) => wallet.transfer(step, [{ ...transfer, amount: kopecks(amount) }]));
  }

  const addOperation = createOperationFixture(db, clock);

  /** What a payer does at the bank's page, and more that only the sandbox supports, see its routes. */
  async function atBank(invoice: string | null, action: string, body: object = {}): Promise<void> {
    const response = await fetch(`${bankUrl}/invoices/${invoice}/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`the bank's page answered ${response.status}: ${await response.text()}`);
  }

  async function switchBank(switches: object): Promise<void> {
    const response = await fetch(`${bankUrl}/switches`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(switches),
    });
    if (!response.ok) throw new Error(`the bank's switches answered ${response.status}: ${await response.text()}`);
  }

  async function payment(id: number): Promise<Payment> {
    const found = await payments.store.find(id);
    if (!found) throw new Error(`no payment ${id}`);
    return found;
  }

  return {
    db,
    steps,
    clock,
    bank,
    bankUrl,
    exchanges,
    ledger,
    wallet,
    walletRoutes: routes,
    gifts,
    sharedWallets,
    staffMoney,
    payments,
    publicUrl,
    limits: usual.limits,
    metrics: usual.metrics,
    log,
    audit,
    runDue,
    nextDueAt,
    addUser,
    give,
    addOperation,
    /** The charge has ended with this total; only its money is left to settle. */
    async endCharge(operation: number, total: number): Promise<void> {
      const ended = { status: 'finished' as const, total, finished_at: clock.now() };
      await db.updateTable('operations').set(ended).where('id', '=', operation).execute();
    },
    atBank,
    switchBank,
    payment,
    faults: () => checkLedger(db, [...ledgerRules, ...paymentRules]),

    /** An operation with its card hold open at the bank, unpaid. */
    async openHold(user: number, deposit: number): Promise<Payment> {
      const operation = await addOperation(user, { deposit, paymentType: 'bank' });
      const opened = await steps.run((step) =>
        payments.service.openHold(step, {
          operation,
          user,
          method: 'bank',
          deposit: kopecks(deposit),
          description: 'Charging at F1001',
          redirectUrl: `https://fpay.test/status/${operation}`,
        }),
      );
      await payments.service.pageOf(opened.id);
      return payment(opened.id);
    },

    /** The same, paid: the money is on hold. */
    async paidHold(user: number, deposit: number): Promise<Payment> {
      const opened = await this.openHold(user, deposit);
      await atBank(opened.invoice, 'pay');
      await payments.service.lookNow(opened.id);
      await runDue();
      return payment(opened.id);
    },

    async topUp(user: number, amount: number, requestKey = `top-up:${user}:${Math.random()}`): Promise<Payment> {
      await payments.topUps.buy({ user, amount: kopecks(amount), redirectTo: '/balance', requestKey });
      const found = await payments.store.byRequest(requestKey);
      if (!found) throw new Error('no top-up');
      return found;
    },

    capture: (id: number, total: number) => steps.run((step) => payments.service.capture(step, id, total as Kopecks)),
    release: (id: number) => steps.run((step) => payments.service.release(step, id)),

    close,
  };
}
