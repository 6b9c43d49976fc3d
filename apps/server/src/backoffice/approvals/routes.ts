import { type Approval, approvals, approve, decline } from '@fpay/contract/admin/approvals';
import type { Kopecks } from '@fpay/contract/money';
import type { Approvals, Decider } from '../../platform/approvals.ts';
import type { Routes } from '../../platform/http/routes.ts';

export interface ApprovalParts {
  list: (viewer: Decider) => Promise<Approval[]>;
  approvals: Pick<Approvals, 'approve' | 'decline'>;
  balanceOf: (user: number) => Promise<Kopecks>;
}

/** What waits for a second staff member. Each kind is carried out by the feature that registered it. */
export function approvalRoutes(routes: Routes, { list, approvals: decisions, balanceOf }: ApprovalParts): void {
  routes.on(approvals, ({ viewer }) => list(viewer));
  routes.on(approve, async ({ viewer, params }) => {
    const { recipient } = await decisions.approve(params.id, viewer);
    return { balance: recipient === null ? null : await balanceOf(recipient) };
  });
  routes.on(decline, async ({ viewer, params }) => {
    await decisions.decline(params.id, viewer);
    return undefined;
  });
}
