import type { Ocpp } from '../../ocpp/feature.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { Sites } from '../../site-power/sites.ts';
import { type BuildingParts, buildingRoutes } from './building-routes.ts';
import { createCardViews } from './cards.ts';
import { createChargePointDetail } from './charge-point-detail.ts';
import { createChargePointList } from './charge-point-list.ts';
import { createMessageSearch } from './message-search.ts';
import { createNetworkOverview } from './overview.ts';
import { createPartyLists } from './parties.ts';
import { gatewayUrlOf, networkRoutes } from './routes.ts';
import { createStationReport } from './station-report.ts';
import { createStationViews } from './stations.ts';
import { createTariffViews } from './tariffs.ts';

/** The commands of the features that the network consists of. */
export interface NetworkPageParts {
  devices: Ocpp['staff'];
  sites: Sites;
  building: Omit<BuildingParts, 'views' | 'tariffViews' | 'cardViews' | 'partyLists'>;
  /** How long messages of charge points can be searched. */
  messagesKeptDays: number;
}

/** The pages about the network: what staff see of it, and the commands by which they build and run it. */
export function networkPages(routes: Routes, given: NetworkPageParts & { db: Database; clock: Clock }): void {
  const { db, clock, devices, sites, building } = given;
  const gatewayUrl = gatewayUrlOf(building.publicUrl);
  networkRoutes(routes, {
    overview: createNetworkOverview(db, clock),
    report: createStationReport(db, clock),
    list: createChargePointList(db),
    detail: createChargePointDetail({ db, clock, gatewayUrl }),
    messages: createMessageSearch(db, clock, given.messagesKeptDays),
    registry: devices.chargePoints,
    devices: devices.commands,
    sites,
    gatewayUrl,
  });
  buildingRoutes(routes, {
    ...building,
    views: createStationViews({ db, clock }),
    tariffViews: createTariffViews({ db, clock }),
    cardViews: createCardViews(db),
    partyLists: createPartyLists(db),
  });
}
