import type { Accounts } from '../account/feature.ts';
import type { CaseStaffActions } from '../cases/staff.ts';
import type { Charging } from '../charging/feature.ts';
import type { Integrations } from '../integrations/feature.ts';
import type { MaintenanceStaffActions } from '../maintenance/staff.ts';
import type { StaffMessages } from '../messages/staff.ts';
import type { Ocpp } from '../ocpp/feature.ts';
import { transactionOfOperation } from '../ocpp/transactions/find-transaction.ts';
import type { Anomalies } from '../payments/anomalies.ts';
import type { PaymentService } from '../payments/service.ts';
import type { PaymentStaffActions } from '../payments/staff/commands.ts';
import type { Approvals } from '../platform/approvals.ts';
import type { Audit } from '../platform/audit.ts';
import { createReads } from '../platform/audit-reads.ts';
import type { Routes } from '../platform/http/routes.ts';
import type { Platform } from '../platform/platform.ts';
import type { Wallet } from '../wallet/feature.ts';
import { createApprovalList } from './approvals/list.ts';
import { approvalRoutes } from './approvals/routes.ts';
import { createAuditList } from './audit-list.ts';
import { createCaseDetail } from './cases/detail.ts';
import { createCaseList } from './cases/list.ts';
import { caseRoutes } from './cases/routes.ts';
import { commissioningRoutes } from './commissioning/routes.ts';
import { createCommissionings } from './commissioning/service.ts';
import { exportRoutes } from './export/routes.ts';
import { createFeedbackList } from './feedback/list.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { createMoneyCases } from './money/cases.ts';
import { type NetworkPageParts, networkPages } from './network/pages.ts';
import { createNotes } from './notes.ts';
import { createOperationActions } from './operations/actions.ts';
import { createOperationDetail } from './operations/detail.ts';
import { createOperationList } from './operations/list.ts';
import { paymentStaffRoutes } from './operations/payment-routes.ts';
import { operationRoutes } from './operations/routes.ts';
import { createOperationStory } from './operations/story.ts';
import { createOwnMoney } from './own-money/profit.ts';
import { pageErrorOf } from './page-error.ts';
import { createStaffReasons } from './reasons/reasons.ts';
import { backofficeRoutes } from './routes.ts';
import { createSearch } from './search.ts';
import { recountStats } from './stats/recount.ts';
import { createStatsService } from './stats/service.ts';
import { createToday } from './today.ts';
import { balanceRoutes } from './users/balance-routes.ts';
import { createUserDetail } from './users/detail.ts';
import { createUserList } from './users/list.ts';
import { createUserNow } from './users/now.ts';
import { userRoutes } from './users/routes.ts';
import { type AuditWatch, createAuditWatch } from './watch/audit-watch.ts';
import { createHealth, type HealthLimits } from './watch/health.ts';
import { networkMetrics } from './watch/network-metrics.ts';
import { createSystemFindings } from './watch/system.ts';

export interface BackofficeDependencies extends Pick<Platform, 'db' | 'steps' | 'clock' | 'metrics' | 'log' | 'rows'> {
  audit: Audit;
  approvals: Approvals;
  /** Limits at which an operation is listed for staff. */
  findings: HealthLimits;
  accounts: Pick<Accounts, 'users' | 'staff' | 'logText'>;
  charging: Pick<Charging, 'staff' | 'operations' | 'logText'>;
  payments: {
    service: Pick<PaymentService, 'ofOperation'>;
    staff: PaymentStaffActions;
    anomalies: Pick<Anomalies, 'note'>;
  };
  wallet: Pick<Wallet, 'service' | 'staffMoney' | 'sharedWallets'>;
  cases: CaseStaffActions;
  devices: Pick<Ocpp['staff'], 'commands'>;
  messages: StaffMessages;
  maintenance: MaintenanceStaffActions;
  /** The commands of the features that the network consists of. */
  network: NetworkPageParts;
  integrations: Integrations;
}

export interface Backoffice {
  /** Once a minute, on one worker. */
  recount(): Promise<unknown>;
  auditWatch: AuditWatch;
  routes(routes: Routes): void;
}

/** The staff back office, wired: lists and views over all features, and the commands of each feature. */
export function createBackoffice(given: BackofficeDependencies): Backoffice {
  const { db, steps, clock, audit, findings, accounts, charging, payments, wallet, devices } = given;
  const health = createHealth({ db, clock, ...findings });
  networkMetrics({ db, clock, metrics: given.metrics });
  const money = createMoneyCases({ db, clock });
  const operations = createOperationList(db);
  const users = createUserList(db);
  const feedback = createFeedbackList(db);
  const stats = createStatsService(db, clock);
  const { operations: store } = charging;
  const ownMoney = createOwnMoney(db);
  const actions = createOperationActions({
    charging: charging.staff,
    payments: payments.staff,
    paymentOf: payments.service.ofOperation,
    transactionOf: (operation) => transactionOfOperation(db, operation),
    ownMoney,
  });
  const reads = createReads(db, clock);
  const cases = createCaseList(db, clock);
  const notes = createNotes({
    db,
    audit,
    steps,
    clock,
    personOf: {
      user: async (id) => (await accounts.users.find(id))?.id ?? null,
      operation: store.ownerOf,
    },
    log: { user: accounts.users.note, operation: store.note },
  });

  return {
    recount: () => recountStats(db),
    auditWatch: createAuditWatch({ ...given, anomalies: payments.anomalies }),

    routes(routes: Routes): void {
      backofficeRoutes(routes, {
        health,
        system: createSystemFindings(db),
        stats,
        today: createToday({
          db,
          clock,
          health,
          moneyWaiting: money.waiting,
          casesWaiting: cases.unanswered,
          approvals: given.approvals,
        }),
        feedback,
        money,
        payments: payments.staff,
        search: createSearch(db),
        pageError: (code) => pageErrorOf(db, code),
        audit: createAuditList(db),
        reads,
        notes,
        maintenance: given.maintenance,
        reasons: createStaffReasons({ db, steps, audit }),
      });
      operationRoutes(routes, {
        list: operations,
        detail: createOperationDetail(db),
        story: createOperationStory(db),
        actions,
        charging: charging.staff,
        service: charging,
        stations: devices.commands,
        reads,
      });
      caseRoutes(routes, { list: cases, detail: createCaseDetail(db), staff: given.cases, reads });
      paymentStaffRoutes(routes, payments.staff, reads);
      networkPages(routes, { db, clock, ...given.network });
      commissioningRoutes(routes, createCommissionings({ db, steps, clock, audit }));
      userRoutes(routes, {
        list: users,
        now: createUserNow({ db, clock, notes }),
        detail: createUserDetail({ db, transactions: wallet.service.transactions, ownMoney }),
        logText: accounts.logText,
        reads,
        accounts: accounts.staff,
        messages: given.messages,
      });
      balanceRoutes(routes, wallet);
      approvalRoutes(routes, {
        list: createApprovalList(db, given.approvals),
        approvals: given.approvals,
        balanceOf: wallet.service.balanceOf,
      });
      integrationRoutes(routes, given.integrations);
      exportRoutes(routes, { operations, users, feedback, stats, steps, audit });
    },
  };
}
