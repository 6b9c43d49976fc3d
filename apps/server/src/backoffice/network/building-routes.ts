import { bindCard, blockCard, issueCards, networkCards, unblockCard } from '@fpay/contract/admin/network/cards';
import { addStationCodes, codeSheet, pointCode } from '@fpay/contract/admin/network/codes';
import {
  exportStationsCsv,
  exportStationsJson,
  importStations,
  previewImport,
} from '@fpay/contract/admin/network/exchange';
import { addPhoto, orderPhotos, removePhoto } from '@fpay/contract/admin/network/photos';
import {
  addPromotion,
  changePromotion,
  endPromotion,
  networkPromotions,
} from '@fpay/contract/admin/network/promotions';
import {
  addStation,
  changeStation,
  endMaintenance,
  networkStation,
  networkStations,
  planMaintenance,
  restoreStation,
  retireStation,
  stationChoices,
} from '@fpay/contract/admin/network/stations';
import {
  addTariff,
  changeTariff,
  networkTariff,
  networkTariffs,
  previewTariff,
  withdrawTariffChange,
} from '@fpay/contract/admin/network/tariffs';
import { pageLimit } from '@fpay/contract/wire';
import type { FastifyReply } from 'fastify';
import type { NetworkExchange } from '../../network/exchange.ts';
import type { NetworkStaff } from '../../network/staff.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { CardStaff } from '../../rfid/staff.ts';
import type { PhotoStaff } from '../../stations/photo-staff.ts';
import type { PromotionStaff } from '../../stations/promotion-staff.ts';
import type { StationStaff } from '../../stations/staff.ts';
import type { TariffStaff } from '../../stations/tariff-changes.ts';
import type { CardViews } from './cards.ts';
import { drawCodeSheet, type StickerBrand } from './code-sheet.ts';
import { networkPartyRoutes, type PartyParts } from './party-routes.ts';
import type { StationViews } from './stations.ts';
import type { TariffViews } from './tariffs.ts';

export interface BuildingParts extends PartyParts {
  views: StationViews;
  build: NetworkStaff;
  stations: StationStaff;
  tariffViews: TariffViews;
  tariffs: TariffStaff;
  cardViews: CardViews;
  cards: CardStaff;
  exchange: NetworkExchange;
  promotions: PromotionStaff;
  photos: PhotoStaff;
  brand: StickerBrand;
  publicUrl: URL;
}

/** Building the network: stations, their codes, prices and maintenance. */
export function buildingRoutes(routes: Routes, parts: BuildingParts): void {
  tariffRoutes(routes, parts);
  exchangeRoutes(routes, parts);
  networkPartyRoutes(routes, parts);
  promotionRoutes(routes, parts);
  cardRoutes(routes, parts);
  photoRoutes(routes, parts);
  const { views, build, stations, brand, publicUrl } = parts;
  routes.on(networkStations, ({ query }) =>
    views.list({
      q: query.q ?? null,
      isRetired: query.retired ?? false,
      before: query.before ?? null,
      limit: query.limit ?? pageLimit.default,
    }),
  );
  routes.on(stationChoices, () => views.choices() as never);
  routes.on(networkStation, ({ params }) => views.one(params.number));
  routes.on(addStation, async ({ viewer, body }) => {
    const { number, is_virtual: isVirtual, ...form } = body;
    await build.addStation(viewer.id, number, isVirtual, form);
    return { number };
  });
  routes.on(changeStation, async ({ viewer, params, body }) => {
    await build.changeStation(viewer.id, params.number, body);
    return { number: params.number };
  });
  routes.on(retireStation, async ({ viewer, params }) => {
    await stations.retire(viewer.id, params.number);
    return undefined;
  });
  routes.on(restoreStation, async ({ viewer, params }) => {
    await stations.restore(viewer.id, params.number);
    return undefined;
  });
  routes.on(planMaintenance, async ({ viewer, params, body }) => ({
    id: await stations.planMaintenance(viewer.id, params.number, {
      connector: body.connector_id,
      reason: body.reason,
      startsAt: body.starts_at === null ? null : new Date(body.starts_at),
      endsAt: body.ends_at === null ? null : new Date(body.ends_at),
    }),
  }));
  routes.on(endMaintenance, async ({ viewer, params }) => {
    await stations.endMaintenance(viewer.id, params.id);
    return undefined;
  });

  routes.on(addStationCodes, ({ viewer, body }) => stations.createLinks(viewer.id, body.stations));
  routes.on(pointCode, async ({ viewer, params, body }) => {
    await stations.pointLink(viewer.id, params.code, body.station);
    return undefined;
  });
  routes.on(codeSheet, async ({ query, http }) => {
    const labels = await views.labels(query.stations);
    const stickers = labels.map(({ code, ...label }) => ({ ...label, url: new URL(`/qr/${code}`, publicUrl).href }));
    const pdf = await drawCodeSheet(stickers, query.size, brand);
    return http.reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="fpay-qr-${query.size}.pdf"`)
      .header('cache-control', 'no-store')
      .send(pdf) as never;
  });
}

function tariffRoutes(routes: Routes, { tariffViews, tariffs }: BuildingParts): void {
  routes.on(networkTariffs, () => tariffViews.list());
  routes.on(networkTariff, ({ params }) => tariffViews.one(params.id));
  routes.on(previewTariff, async ({ body }) => tariffViews.preview(body.terms, body.date) as never);
  routes.on(addTariff, async ({ viewer, body }) => {
    const { name, ...terms } = body;
    return { id: await tariffs.add(viewer.id, name, terms) };
  });
  routes.on(changeTariff, ({ viewer, params, body }) => {
    const { starts_at: startsAt, ...terms } = body;
    return tariffs.change(viewer.id, params.id, terms, startsAt === null ? null : new Date(startsAt));
  });
  routes.on(withdrawTariffChange, async ({ viewer, params }) => {
    await tariffs.withdraw(viewer.id, params.id);
    return undefined;
  });
}

function exchangeRoutes(routes: Routes, { exchange }: BuildingParts): void {
  routes.on(previewImport, ({ body }) => exchange.preview(body));
  routes.on(importStations, ({ viewer, body }) => exchange.write(viewer.id, body));
  const download = async (reply: FastifyReply, staff: number, format: 'csv' | 'json') => {
    const text = await exchange.read(staff, format);
    return reply
      .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
      .header('content-disposition', `attachment; filename="fpay-stations.${format}"`)
      .header('cache-control', 'no-store')
      .send(text) as never;
  };
  routes.on(exportStationsCsv, ({ viewer, http }) => download(http.reply, viewer.id, 'csv'));
  routes.on(exportStationsJson, ({ viewer, http }) => download(http.reply, viewer.id, 'json'));
}

function cardRoutes(routes: Routes, { cardViews, cards }: BuildingParts): void {
  routes.on(networkCards, ({ query }) =>
    cardViews({ q: query.q ?? '', before: query.before ?? null, limit: query.limit ?? pageLimit.default }),
  );
  routes.on(issueCards, ({ viewer, body }) => cards.issue(viewer.id, body.lines));
  routes.on(bindCard, async ({ viewer, params, body }) => {
    await cards.bind(viewer.id, params.id, body.user);
    return undefined;
  });
  routes.on(blockCard, async ({ viewer, params }) => {
    await cards.setBlocked(viewer.id, params.id, true);
    return undefined;
  });
  routes.on(unblockCard, async ({ viewer, params }) => {
    await cards.setBlocked(viewer.id, params.id, false);
    return undefined;
  });
}

function photoRoutes(routes: Routes, { photos }: BuildingParts): void {
  routes.on(addPhoto, async ({ viewer, params, body }) => ({
    key: await photos.add(viewer.id, params.number, body.content),
  }));
  routes.on(orderPhotos, async ({ viewer, params, body }) => {
    await photos.order(viewer.id, params.number, body.keys);
    return undefined;
  });
  routes.on(removePhoto, async ({ viewer, params }) => {
    await photos.remove(viewer.id, params.number, params.key);
    return undefined;
  });
}

function promotionRoutes(routes: Routes, { promotions }: BuildingParts): void {
  routes.on(networkPromotions, () => promotions.list());
  routes.on(addPromotion, ({ viewer, body }) => promotions.add(viewer.id, body));
  routes.on(changePromotion, ({ viewer, params, body }) => promotions.change(viewer.id, params.id, body));
  routes.on(endPromotion, async ({ viewer, params }) => {
    await promotions.end(viewer.id, params.id);
    return undefined;
  });
}
