import { deleteRfidCard, deleteRfidRequest, getRfidData, requestRfidBind } from '@fpay/contract/rfid';
import type { Routes } from '../platform/http/routes.ts';
import type { RfidService } from './service.ts';

export function rfidRoutes(routes: Routes, rfid: RfidService): void {
  routes.on(getRfidData, ({ viewer }) => rfid.data(viewer));
  routes.on(requestRfidBind, ({ viewer, body }) => rfid.requestBind(viewer, body.station_number));
  routes.on(deleteRfidRequest, async ({ viewer, params }) => {
    await rfid.removeRequest(viewer, params.id);
    return undefined;
  });
  routes.on(deleteRfidCard, async ({ viewer, params }) => {
    await rfid.removeCard(viewer, params.card);
    return undefined;
  });
}
