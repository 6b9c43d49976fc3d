import type { Logger } from 'pino';
import type { Audit } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { DueWork } from '../platform/due-work.ts';
import type { RateLimits } from '../platform/rate-limits.ts';
import type { RowLoops } from '../platform/row-loops.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { WalletService } from '../wallet/service.ts';
import type { WalletStore } from '../wallet/store.ts';
import { createAnomalies } from './anomalies.ts';
import type { Bank } from './bank.ts';
import { createChanged } from './changed.ts';
import { createChargebacks } from './chargebacks.ts';
import { createLosses } from './losses.ts';
import { createNewsDesk } from './news.ts';
import { createReconciliation } from './reconciliation.ts';
import { createRefunds } from './refunds.ts';
import { createPaymentRunner } from './runner.ts';
import { createPaymentService } from './service.ts';
import { createSettlement } from './settlement.ts';
import { createPaymentDesk } from './staff.ts';
import { createPaymentStore } from './store.ts';
import { createTopUps } from './top-up.ts';

interface Dependencies {
  db: Database;
  steps: Steps;
  rows: RowLoops;
  dueWork: Pick<DueWork, 'wake' | 'register'>;
  clock: Clock;
  log: Logger;
  ledger: WalletStore;
  wallet: WalletService;
  bank: Bank;
  audit: Audit;
  publicUrl: URL;
  /** Whether the merchant's payments carry fiscal baskets. */
  isFiscal: boolean;
  limits: RateLimits;
  /** Whether the charge of an operation has not ended yet. Payments know operations only by their ids. */
  isOperationOpen: (step: Step, operation: number) => Promise<boolean>;
}

/** All parts of payments, joined. Registers the two kinds of rows that are due work of theirs. */
export function createPayments(given: Dependencies) {
  const { db, steps, rows, dueWork, clock, log, ledger, wallet, bank, audit, publicUrl, isFiscal } = given;
  const { limits, isOperationOpen } = given;
  const payments = createPaymentStore(db, clock);
  const anomalies = createAnomalies(db, clock);
  const changed = createChanged();
  const losses = createLosses({ payments, wallet });
  const refunds = createRefunds({
    payments,
    ledger,
    wallet,
    losses,
    bank,
    anomalies,
    changed,
    dueWork,
    steps,
    clock,
    isFiscal,
  });
  const settlement = createSettlement({ payments, refunds, losses });
  const chargebacks = createChargebacks({ ledger, wallet, anomalies, settlement });
  const desk = createNewsDesk({
    payments,
    wallet,
    anomalies,
    chargebacks,
    refunds,
    ledger,
    settlement,
    changed,
    dueWork,
    clock,
    log,
    isFiscal,
  });
  const runPayment = createPaymentRunner({
    payments,
    refunds,
    bank,
    losses,
    desk,
    anomalies,
    changed,
    steps,
    clock,
    log,
    isFiscal,
  });
  const service = createPaymentService({ payments, settlement, losses, wallet, changed, runPayment, dueWork, clock });

  // Each may wait for the bank up to three times its time limit, so the lease is longer than the usual one.
  const leaseMs = 45_000;
  dueWork.register({ name: 'payment', table: 'payments', leaseMs, run: runPayment });
  dueWork.register({ name: 'refund', table: 'refunds', leaseMs, run: refunds.run });

  return {
    store: payments,
    service,
    refunds,
    anomalies,
    topUps: createTopUps({ payments, service, refunds, ledger, changed, steps, clock, publicUrl, limits }),
    desk: createPaymentDesk({ payments, service, refunds, bank, desk, changed, steps, audit, clock, isOperationOpen }),
    ...createReconciliation({
      db,
      payments,
      bank,
      ledger,
      wallet,
      anomalies,
      steps,
      rows,
      clock,
      log,
      lookNow: service.lookNow,
    }),
  };
}

export type Payments = ReturnType<typeof createPayments>;
