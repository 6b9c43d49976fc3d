import type { Role } from '@fpay/contract/roles';
import type { Audit } from '../platform/audit.ts';
import type { Routes } from '../platform/http/routes.ts';
import type { Platform } from '../platform/platform.ts';
import type { UserTables } from '../platform/user-tables.ts';
import { supportRoutes } from './routes.ts';
import { type CaseCharge, type Cases, createCases } from './service.ts';
import { type CaseStaffActions, createCaseStaff } from './staff.ts';
import { createCaseStore } from './store.ts';
import { answerNotice, type SendAnswer } from './texts.ts';
import { caseUserTables } from './user-tables.ts';

export interface CaseDependencies extends Pick<Platform, 'db' | 'steps' | 'clock' | 'limits' | 'dueWork'> {
  audit: Audit;
  brand: string;
  publicUrl: string;
  /** Null: there is no such operation. */
  chargeOf: (operation: number) => Promise<CaseCharge | null>;
  stations: { byIds(ids: number[]): Promise<readonly { id: number; number: string }[]> };
  users: { find(id: number): Promise<{ id: number; role: Role } | null> };
  messages: {
    deliverTracked: SendAnswer;
    smsDeliveries(ids: readonly string[]): Promise<Map<string, 'delivered' | 'failed'>>;
  };
}

export interface CasesFeature {
  service: Cases;
  staff: CaseStaffActions;
  userTables: UserTables;
  routes(routes: Routes): void;
}

/** Cases, wired: where they come from, the conversation with the driver, and what staff do. */
export function createCasesFeature(given: CaseDependencies): CasesFeature {
  const { db, clock, brand, publicUrl, messages } = given;
  const store = createCaseStore(db, clock);
  const service = createCases({
    ...given,
    store,
    smsDeliveries: messages.smsDeliveries,
    async stationNumbers(ids) {
      const found = ids.length === 0 ? [] : await given.stations.byIds([...new Set(ids)]);
      return new Map(found.map(({ id, number }) => [id, number]));
    },
  });
  const staff = createCaseStaff({
    ...given,
    store,
    deliver: (step, user, { id, entry, text }) =>
      messages.deliverTracked(step, user, { entry }, (language) =>
        answerNotice({ id, text, brand, publicUrl }, language),
      ),
  });
  return {
    service,
    staff,
    userTables: caseUserTables,
    routes: (routes: Routes): void => supportRoutes(routes, service),
  };
}
