import { auditList } from '@fpay/contract/admin/audit';
import { adminFeedback, stationRating } from '@fpay/contract/admin/feedback';
import { moneyCases, moneyOverview, resolveMoneyCase } from '@fpay/contract/admin/money';
import { addNote, notes as noteList } from '@fpay/contract/admin/notes';
import { saveStaffReasons, staffReasons } from '@fpay/contract/admin/reasons';
import { search as searchCall } from '@fpay/contract/admin/search';
import { shutDown, shutdownState, turnOn } from '@fpay/contract/admin/shutdown';
import { adminStats, adminStatsCharts, type Today, today as todayCall } from '@fpay/contract/admin/stats';
import { type SystemFinding, systemFindings } from '@fpay/contract/admin/watch';
import { getAnomalies, getCounters, getTerminations } from '@fpay/contract/health';
import { type PageErrorReport, readPageError } from '@fpay/contract/page-errors';
import type { Role } from '@fpay/contract/roles';
import { pageLimit } from '@fpay/contract/wire';
import type { MaintenanceStaffActions } from '../maintenance/staff.ts';
import type { PaymentStaffActions } from '../payments/staff/commands.ts';
import type { Reads } from '../platform/audit-reads.ts';
import type { Routes } from '../platform/http/routes.ts';
import { kyivZone } from '../platform/kyiv-time.ts';
import type { AuditList } from './audit-list.ts';
import type { FeedbackList } from './feedback/list.ts';
import type { MoneyCases } from './money/cases.ts';
import type { Notes } from './notes.ts';
import type { StaffReasons } from './reasons/reasons.ts';
import type { Search } from './search.ts';
import { sortOf } from './sorts.ts';
import type { StatsService } from './stats/service.ts';
import type { Health } from './watch/health.ts';

export interface BackofficeParts {
  health: Health;
  system: () => Promise<SystemFinding[]>;
  stats: StatsService;
  today: (role: Role, zone: string) => Promise<Today>;
  feedback: FeedbackList;
  money: MoneyCases;
  payments: Pick<PaymentStaffActions, 'resolveAnomaly'>;
  search: Search;
  pageError: (code: string) => Promise<PageErrorReport>;
  audit: AuditList;
  reads: Pick<Reads, 'list'>;
  notes: Notes;
  maintenance: MaintenanceStaffActions;
  reasons: StaffReasons;
}

export function backofficeRoutes(routes: Routes, parts: BackofficeParts): void {
  const { health, stats, feedback, money, payments, notes, maintenance, reads } = parts;
  routes.on(getAnomalies, () => health.anomalies());
  routes.on(getCounters, () => health.counters());
  routes.on(getTerminations, () => health.terminations());
  routes.on(systemFindings, () => parts.system());
  routes.on(readPageError, ({ params }) => parts.pageError(params.code));

  routes.on(adminStats, ({ query }) => stats.overall(query));
  routes.on(adminStatsCharts, ({ query }) => stats.charts(query));
  routes.on(todayCall, ({ viewer, query }) => parts.today(viewer.role, query.tz ?? kyivZone));

  routes.on(adminFeedback, async ({ viewer, body }) => {
    const sort = sortOf('feedback', body.sort);
    await reads.list(viewer.id, 'feedback', body);
    const { from, to, with_comments_only: withCommentsOnly, station_number: station, user, page } = body;
    return feedback.page({ from, to, withCommentsOnly, station, user }, page, sort);
  });
  routes.on(stationRating, ({ params, query }) => {
    const { time_range: period, manual_range: isManual, from, to, tz } = query;
    return feedback.rating(params.station, stats.rangeFor(isManual ? { from, to, tz } : { period, tz }));
  });

  routes.on(moneyOverview, () => money.overview());
  routes.on(moneyCases, ({ params, query }) =>
    money.list(params.kind, { before: query.before, limit: query.limit ?? pageLimit.default }),
  );
  routes.on(resolveMoneyCase, async ({ viewer, params, body }) => {
    await payments.resolveAnomaly(viewer.id, params.id, body.comment.trim());
    return undefined;
  });

  routes.on(searchCall, async ({ viewer, query }) => {
    const found = await parts.search(query.q, viewer.role);
    const people = found.flatMap(({ kind, user_id: user }) => (user !== null && kind !== 'payment' ? [user] : []));
    if (people.length > 0) await reads.list(viewer.id, 'search', { q: query.q, people });
    return found;
  });
  routes.on(auditList, ({ query }) => parts.audit(query));
  routes.on(noteList, ({ params }) => notes.list(params.subject, params.id));
  routes.on(addNote, ({ viewer, params, body }) => notes.add(params.subject, params.id, viewer.id, body.text));

  routes.on(staffReasons, () => parts.reasons.list());
  routes.on(saveStaffReasons, ({ viewer, body }) => parts.reasons.save(viewer.id, body.reasons));

  routes.on(shutdownState, async () => maintenance.state());
  routes.on(shutDown, ({ viewer, body }) =>
    maintenance.shutDown(viewer.id, {
      startTime: body.start_time === null ? null : new Date(body.start_time),
      endTime: body.end_time === null ? null : new Date(body.end_time),
      text: body.text?.trim() || null,
    }),
  );
  routes.on(turnOn, ({ viewer }) => maintenance.turnOn(viewer.id));
}
