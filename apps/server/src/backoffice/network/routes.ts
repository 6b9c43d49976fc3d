import {
  chargePointList,
  chargePointView,
  deviceMessages,
  registerChargePoint,
  renewChargePointKey,
  secureChargePoint,
} from '@fpay/contract/admin/network/charge-points';
import { changeDevice, commandDevice } from '@fpay/contract/admin/network/device-commands';
import { networkOverview } from '@fpay/contract/admin/network/overview';
import { addSite, changeSite, siteList, siteView } from '@fpay/contract/admin/network/sites';
import { stationReport } from '@fpay/contract/admin/network/station-report';
import type { StationStaffActions } from '../../ocpp/commands/staff.ts';
import type { ChargePointStaffActions } from '../../ocpp/connections/staff.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { Sites } from '../../site-power/sites.ts';
import type { ChargePointDetail } from './charge-point-detail.ts';
import type { ChargePointList } from './charge-point-list.ts';
import type { MessageSearch } from './message-search.ts';
import type { NetworkOverviewReader } from './overview.ts';
import type { StationReportReader } from './station-report.ts';

export interface NetworkParts {
  overview: NetworkOverviewReader;
  report: StationReportReader;
  list: ChargePointList;
  detail: ChargePointDetail;
  messages: MessageSearch;
  registry: ChargePointStaffActions;
  devices: Pick<StationStaffActions, 'order'>;
  sites: Sites;
  /** `wss://host/ocpp/`, to which a device adds its identity. */
  gatewayUrl: string;
}

export function networkRoutes(routes: Routes, parts: NetworkParts): void {
  routes.on(networkOverview, () => parts.overview());
  routes.on(stationReport, ({ params, query }) => parts.report(params.number, query));
  const { list, detail, messages, registry, devices, sites, gatewayUrl } = parts;
  const addressOf = (identity: string) => `${gatewayUrl}${encodeURIComponent(identity)}`;
  routes.on(chargePointList, ({ query }) => list(query));
  routes.on(chargePointView, ({ params }) => detail(params.id));
  routes.on(deviceMessages, ({ params, query }) => messages(params.id, query));
  routes.on(registerChargePoint, async ({ viewer, body }) => {
    const added = await registry.register(viewer.id, body.identity);
    return { ...added, address: addressOf(added.identity) };
  });
  routes.on(renewChargePointKey, async ({ viewer, params }) => {
    const renewed = await registry.renewKey(viewer.id, params.id);
    return { ...renewed, address: addressOf(renewed.identity) };
  });
  routes.on(secureChargePoint, async ({ viewer, params, body }) => {
    await registry.secure(viewer.id, params.id, body.needs_certificate);
    return { needs_certificate: body.needs_certificate };
  });
  routes.on(siteList, () => sites.list());
  routes.on(siteView, ({ params }) => sites.view(params.id));
  routes.on(addSite, ({ viewer, body }) => sites.add(viewer.id, body));
  routes.on(changeSite, ({ viewer, params, body }) => sites.change(viewer.id, params.id, body));
  routes.on(commandDevice, async ({ viewer, params, body }) => ({
    command: await devices.order(viewer.id, params.id, body),
  }));
  routes.on(changeDevice, async ({ viewer, params, body }) => ({
    command: await devices.order(viewer.id, params.id, body),
  }));
}

/** Devices connect to the host of the public address, with TLS where pages have it. */
export function gatewayUrlOf(publicUrl: URL): string {
  const address = new URL('/ocpp/', publicUrl);
  address.protocol = publicUrl.protocol === 'https:' ? 'wss:' : 'ws:';
  return address.href;
}
