import {
  adminCase,
  adminCases,
  answerCase,
  assignCase,
  caseCounts,
  caseStaff,
  closeCase,
  noteCase,
  openCase,
  reopenCase,
  snoozeCase,
} from '@fpay/contract/admin/cases';
import { can, type Role } from '@fpay/contract/roles';
import { actionsIn } from '../../cases/case.ts';
import type { CaseStaffActions } from '../../cases/staff.ts';
import type { Reads } from '../../platform/audit-reads.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { sortOf } from '../sorts.ts';
import type { CaseDetail } from './detail.ts';
import type { CaseList } from './list.ts';

export interface CaseParts {
  list: CaseList;
  detail: CaseDetail;
  staff: CaseStaffActions;
  reads: Reads;
}

const changedFirst = { key: 'changed', isDescending: true } as const;

interface Acting {
  viewer: { id: number };
  params: { id: number };
  requestKey: string;
}

const callOf = ({ viewer, params, requestKey }: Acting) => ({ staff: viewer.id, id: params.id, requestKey });

export function caseRoutes(routes: Routes, { list, detail, staff, reads }: CaseParts): void {
  const actionsFor = (role: Role) => (can(role, 'contact-users') ? actionsIn : () => []);

  routes.on(adminCases, async ({ viewer, query }) => {
    const { page = 1, sort: sortText, ...filter } = query;
    const sort = sortText ? sortOf('cases', sortText) : changedFirst;
    await reads.list(viewer.id, 'cases', { ...filter, page });
    return list.page(filter, viewer.id, page, sort);
  });
  routes.on(caseCounts, ({ viewer }) => list.counts(viewer.id));
  routes.on(caseStaff, () => list.staff());
  routes.on(adminCase, async ({ viewer, params }) => {
    const found = await detail(params.id, actionsFor(viewer.role));
    await reads.of(viewer.id, 'case', found.id);
    return found;
  });

  routes.on(openCase, async ({ viewer, body, requestKey }) => ({
    id: await staff.open(
      { staff: viewer.id, requestKey },
      {
        user: body.user_id,
        operation: body.charging_operation_id,
        subject: body.subject.trim(),
        note: body.note?.trim() || null,
      },
    ),
  }));
  routes.on(answerCase, async (call) => {
    await staff.answer(callOf(call), call.body.text.trim());
    return undefined;
  });
  routes.on(noteCase, async (call) => {
    await staff.note(callOf(call), call.body.text.trim());
    return undefined;
  });
  routes.on(assignCase, async (call) => {
    await staff.assign(callOf(call), call.body.staff_id);
    return undefined;
  });
  routes.on(snoozeCase, async (call) => {
    await staff.snooze(callOf(call), new Date(call.body.until));
    return undefined;
  });
  routes.on(closeCase, async (call) => {
    await staff.close(callOf(call));
    return undefined;
  });
  routes.on(reopenCase, async (call) => {
    await staff.reopen(callOf(call));
    return undefined;
  });
}
