import { askRefund } from '@fpay/contract/admin/ask-refund';
import { paymentInfo } from '@fpay/contract/payments';
import { paymentWorkList } from '../../payments/staff/actions.ts';
import type { PaymentStaffActions } from '../../payments/staff/commands.ts';
import type { Reads } from '../../platform/audit-reads.ts';
import type { Routes } from '../../platform/http/routes.ts';

export function paymentStaffRoutes(routes: Routes, payments: PaymentStaffActions, reads: Pick<Reads, 'of'>): void {
  routes.on(paymentInfo, async ({ viewer, params }) => {
    const info = await payments.info(params.paymentId);
    await reads.of(viewer.id, 'payment', params.paymentId);
    return info;
  });
  routes.on(askRefund, async ({ viewer, params, body, requestKey }) => {
    const command = { staff: viewer.id, payment: params.paymentId, requestKey, reason: body.reason ?? null };
    return { approval_id: await payments.askRefund(command, body.amount) };
  });
  for (const work of paymentWorkList)
    routes.on(work.record.endpoint, async ({ viewer, params, body, requestKey }) => {
      const payment = 'id' in params ? params.id : params.paymentId;
      const done = await payments.act(
        { staff: viewer.id, payment, requestKey, reason: body.reason ?? null },
        work.requestOf(body),
      );
      return work.replyOf(done);
    });
}
