import {
  activeOperations,
  getOperation,
  newPayment,
  stopOperation,
  unlockOperation,
  withdrawOperation,
} from '@fpay/contract/charging';
import { powerCurve } from '@fpay/contract/power-curve';
import type { Routes } from '../platform/http/routes.ts';
import type { ChargingService } from './service.ts';

export function chargingRoutes(routes: Routes, charging: ChargingService): void {
  routes.on(newPayment, async ({ viewer, body, requestKey }) => {
    const request = {
      connector: body.connector,
      hundredths: body.amount,
      method: body.payment_type,
      target: body.target,
      refId: body.ref_id ?? null,
      price: body.price ?? null,
      idle: body.idle,
      card: body.card ?? null,
      savesCard: body.save_card ?? false,
    };
    return { page_url: await charging.open(viewer, request, requestKey) };
  });
  routes.on(getOperation, ({ viewer, params }) => charging.view(viewer, params.id));
  routes.on(powerCurve, ({ viewer, params }) => charging.curve(viewer, params.id));
  routes.on(stopOperation, async ({ viewer, params }) => ({ status: await charging.stop(viewer, params.id) }));
  routes.on(withdrawOperation, async ({ viewer, params }) => ({ status: await charging.withdraw(viewer, params.id) }));
  routes.on(unlockOperation, async ({ viewer, params }) => ({ status: await charging.unlock(viewer, params.id) }));
  routes.on(activeOperations, ({ viewer }) => charging.active(viewer));
}
