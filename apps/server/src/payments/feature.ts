import type { SavedCardMode } from '@fpay/contract/settings';
import type { FastifyInstance } from 'fastify';
import type { Approvals } from '../platform/approvals.ts';
import type { Audit } from '../platform/audit.ts';
import type { Routes } from '../platform/http/routes.ts';
import type { DueWork } from '../platform/jobs/due-work.ts';
import type { Platform } from '../platform/platform.ts';
import type { Step } from '../platform/step.ts';
import type { UserTables } from '../platform/user-tables.ts';
import { createLedgerWatch, type LedgerWatch, ledgerRules } from '../wallet/check.ts';
import type { WalletStore } from '../wallet/ledger.ts';
import type { WalletService } from '../wallet/service.ts';
import type { StaffLimits } from '../wallet/staff-limits.ts';
import { type Anomalies, type AnomalyListener, createAnomalies } from './anomalies.ts';
import type { BankAccount, BankOptions } from './bank.ts';
import { type Banks, connectBanks } from './banks.ts';
import { createSavedCardPayment, type SavedCardPayment } from './cards/saved-card-payment.ts';
import { createSavedCards, type SavedCards } from './cards/saved-cards.ts';
import { createExchanges, type Exchanges } from './exchanges.ts';
import { createBankStatusHandler } from './lifecycle/apply-bank-status.ts';
import { createDuePayment } from './lifecycle/due-payment.ts';
import { webhookRoute } from './lifecycle/webhook.ts';
import { paymentRules } from './nightly/ledger-rules.ts';
import { createReconciliation, type ReconciliationJobs } from './nightly/reconciliation.ts';
import type { OperationPort } from './operation-port.ts';
import type { PaymentEventsPort } from './payment-events-port.ts';
import { createPaymentListeners } from './payment-listeners.ts';
import { paymentRoutes } from './routes.ts';
import { createPaymentService, type PaymentService } from './service.ts';
import { createChargebacks } from './settlement/chargebacks.ts';
import { createEarnings, type Earnings } from './settlement/earnings.ts';
import { createLosses } from './settlement/losses.ts';
import { createOverrides } from './settlement/overrides.ts';
import { createRefunds, type Refunds } from './settlement/refunds.ts';
import { createSettlement } from './settlement/settlement.ts';
import { createPaymentStaffActions, type PaymentStaffActions } from './staff/commands.ts';
import { createPaymentStore, type PaymentStore } from './store.ts';
import type { TellReturned } from './tell-returned.ts';
import { createTopUps, type TopUps } from './top-up.ts';
import { createPaymentUserTables } from './user-tables.ts';

export interface BankDependencies
  extends Pick<Platform, 'db' | 'clock' | 'log'>,
    Pick<BankOptions, 'siteUrl' | 'timeoutMs'> {
  /** At the bank of new payments. */
  account: BankAccount;
  /** At the bank before it, whose payments are still captured and returned there. */
  former: BankAccount | null;
}

/** The banks, and the record of every exchange with them. */
export interface BankConnections {
  banks: Banks;
  exchanges: Exchanges;
}

export function connectToBanks({
  db,
  clock,
  log,
  account,
  former,
  siteUrl,
  timeoutMs,
}: BankDependencies): BankConnections {
  const exchanges = createExchanges(db, clock, log);
  const options = { siteUrl, clock, onExchange: exchanges.record, ...(timeoutMs !== undefined && { timeoutMs }) };
  return { banks: connectBanks(account, former, options), exchanges };
}

export interface PaymentDependencies
  extends Pick<Platform, 'db' | 'steps' | 'rows' | 'clock' | 'log' | 'limits' | 'metrics'> {
  dueWork: Pick<DueWork, 'wake' | 'register'>;
  ledger: WalletStore;
  wallet: WalletService;
  banks: Banks;
  exchanges: Exchanges;
  audit: Audit;
  approvals: Pick<Approvals, 'on' | 'isOpen' | 'request'>;
  anomalyListed: AnomalyListener;
  staffLimits: StaffLimits;
  publicUrl: URL;
  /** Whether the merchant's payments have fiscal baskets. */
  isFiscal: boolean;
  /** Tokens of saved cards are encrypted with a key that is derived from it. */
  secret: string;
  savedCards: SavedCardMode;
  /** Charging and integrations come later, so each is a function that is called when there is a payment. */
  operations: () => OperationPort;
  events: () => PaymentEventsPort;
  /** Writes a line into the log of a user. */
  noteUser?: (step: Step, user: number, text: string) => Promise<void>;
  tellReturned?: TellReturned;
}

export interface Payments extends ReconciliationJobs {
  banks: Banks;
  store: PaymentStore;
  service: PaymentService;
  refunds: Refunds;
  earnings: Earnings;
  anomalies: Anomalies;
  topUps: TopUps;
  savedCards: SavedCards;
  savedCardPayment: SavedCardPayment;
  staffActions: PaymentStaffActions;
  /** What was exchanged with the bank about a payment, for staff who read technical logs. */
  bankLinesOf: Exchanges['linesOf'];
  forgetExchanges: Exchanges['forget'];
  /** The nightly check of the books. */
  ledgerWatch: LedgerWatch;
  /** What becomes of this feature's rows when an account is merged or deleted. */
  userTables: UserTables;
  routes(routes: Routes): void;
  /** The bank's notifications, on nodes that answer HTTP. */
  webhook(app: FastifyInstance): void;
}

/** All parts of payments, connected. Registers their kinds of due work. */
export function createPayments(given: PaymentDependencies): Payments {
  const { db, steps, rows, dueWork, clock, log, limits, metrics, ledger, wallet, banks, exchanges, audit } = given;
  const { publicUrl, isFiscal, secret, noteUser, tellReturned } = given;
  const payments = createPaymentStore({
    db,
    clock,
    provider: banks.current.provider,
    operations: {
      lock: (step, id) => given.operations().lock(step, id),
      showPayment: (step, id, shown) => given.operations().showPayment(step, id, shown),
    },
    events: { paymentChanged: (step, change) => given.events().paymentChanged(step, change) },
  });
  const anomalies = createAnomalies({ db, steps, clock, listed: given.anomalyListed });
  const listeners = createPaymentListeners();
  const losses = createLosses({ payments, wallet });
  const overrides = createOverrides({ payments, ledger, clock });
  const earnings = createEarnings({ payments, ledger, wallet, listeners, tellReturned });
  const refunds = createRefunds({
    payments,
    ledger,
    wallet,
    losses,
    earnings,
    banks,
    anomalies,
    listeners,
    dueWork,
    tellReturned,
    steps,
    clock,
    isFiscal,
  });
  const settlement = createSettlement({ payments, refunds, losses });
  const chargebacks = createChargebacks({ ledger, wallet, anomalies, settlement, earnings });
  const cards = createSavedCards({ db, steps, banks, dueWork, clock, log, secret });
  const savedCardPayment = createSavedCardPayment({
    payments,
    cards,
    banks,
    listeners,
    anomalies,
    steps,
    clock,
    log,
    isFiscal,
    holdsSavedCards: given.savedCards === 'hold',
  });
  const bankStatusHandler = createBankStatusHandler({
    payments,
    cards,
    wallet,
    anomalies,
    chargebacks,
    overrides,
    refunds,
    ledger,
    settlement,
    listeners,
    dueWork,
    clock,
    log,
    isFiscal,
  });
  const runPayment = createDuePayment({
    payments,
    cards,
    savedCardPayment,
    refunds,
    banks,
    losses,
    bankStatusHandler,
    anomalies,
    listeners,
    steps,
    clock,
    log,
    isFiscal,
  });
  const service = createPaymentService({
    payments,
    settlement,
    losses,
    overrides,
    earnings,
    wallet,
    cards,
    listeners,
    runPayment,
    dueWork,
    clock,
  });

  // Each may wait for the bank up to three times its timeout, so the lease is longer than the usual one.
  const leaseMs = 45_000;
  dueWork.register({ name: 'payment', table: 'payments', leaseMs, run: runPayment });
  dueWork.register({ name: 'refund', table: 'refunds', leaseMs, run: refunds.run });
  dueWork.register({ name: 'saved-card', table: 'saved_cards', leaseMs, run: cards.run });

  const topUps = createTopUps({
    payments,
    service,
    refunds,
    cards,
    ledger,
    listeners,
    steps,
    clock,
    publicUrl,
    limits,
  });
  const staffActions = createPaymentStaffActions({
    payments,
    service,
    refunds,
    banks,
    bankStatusHandler,
    listeners,
    anomalies,
    steps,
    audit,
    clock,
    limits: given.staffLimits,
    approvals: given.approvals,
    operations: given.operations,
    ...(noteUser && { noteUser }),
  });
  const ledgerWatch = createLedgerWatch({
    db,
    clock,
    rules: [...ledgerRules, ...paymentRules],
    rows,
    note: ({ rule, subject, details }) =>
      anomalies.note({ db }, { kind: 'ledger_fault', subject: `${subject}: ${rule}`, details }),
  });
  metrics.gauge('fpay_ledger_faults', 'Faults the last check of the books found', ledgerWatch.lastFaultCount);

  return {
    userTables: createPaymentUserTables(cards),
    banks,
    store: payments,
    service,
    refunds,
    earnings,
    anomalies,
    topUps,
    savedCards: cards,
    savedCardPayment,
    staffActions,
    bankLinesOf: exchanges.linesOf,
    forgetExchanges: exchanges.forget,
    ledgerWatch,
    routes: (routes: Routes): void => paymentRoutes(routes, { topUps, cards }),
    webhook: (app) =>
      webhookRoute(app, { banks, payments, savedCardPayment, service, registry: metrics.registry, log }),
    ...createReconciliation({
      db,
      payments,
      banks,
      ledger,
      wallet,
      anomalies,
      steps,
      rows,
      clock,
      log,
      savedCardPayment,
      lookNow: service.lookNow,
    }),
  };
}
