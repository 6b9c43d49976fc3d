import * as z from 'zod/mini';
import { ConnectorType } from '../../connectors.ts';
import { endpoint } from '../../endpoint.ts';
import { WattHours, Watts } from '../../money.ts';
import { noMoney } from '../../staff-money.ts';
import { StationNumber } from '../../stations.ts';
import { Id, IdText, Instant, KyivTime } from '../../wire.ts';

const view = ['access-admin-page', 'view-network'] as const;
const manage = ['access-admin-page', 'manage-network'] as const;
const ById = z.object({ id: IdText });

const LimitW = z.int().check(z.gte(1_000), z.lte(20_000_000));

/** Another limit at some hours of every day; an end before the beginning is on the next day. */
const SiteHours = z
  .object({ from: KyivTime, to: KyivTime, limit: LimitW })
  .check(z.refine(({ from, to }) => from !== to, { path: ['to'], error: 'must not be the beginning' }));

/** Stations that share a limit. The reserve is kept free for what is not measured. */
export const SiteSettings = z
  .object({
    name: z.string().check(z.trim(), z.minLength(1), z.maxLength(80)),
    limit: LimitW,
    reserve: z.int().check(z.gte(0), z.lte(20_000_000)),
    hours: z._default(z.nullable(SiteHours), null),
    /** Drivers for whom there is no power may wait in a queue, before they pay. */
    has_queue: z._default(z.boolean(), false),
    stations: z.array(StationNumber).check(z.maxLength(200)),
  })
  .check(z.refine(({ limit, reserve }) => reserve < limit, { path: ['reserve'], error: 'must be below the limit' }))
  .check(
    z.refine(({ hours, reserve }) => hours === null || reserve < hours.limit, {
      path: ['hours', 'limit'],
      error: 'must be above the reserve',
    }),
  );
export type SiteSettings = z.infer<typeof SiteSettings>;

const SiteItem = z.object({
  id: Id,
  name: z.string(),
  limit: Watts,
  /** With the limit of the present hour. */
  limit_now: Watts,
  reserve: Watts,
  hours: z.nullable(z.object({ from: KyivTime, to: KyivTime, limit: Watts })),
  /** Drivers may wait here before they pay. */
  has_queue: z.boolean(),
  stations: z.array(z.string()),
  connectors: z.int(),
  charging: z.int(),
  /** The measured power of all running charges. */
  power: Watts,
});
export type SiteItem = z.infer<typeof SiteItem>;

export const siteList = endpoint({
  method: 'GET',
  path: '/api/admin/network/sites',
  summary: 'Sites whose connectors share a limit',
  access: view,
  reply: z.array(SiteItem),
  openInMaintenance: true,
});

/** Why a connector counts what it counts before the next start. */
export const CountsAs = z.enum(['free', 'waiting', 'obeys', 'unseen', 'ignores', 'no_profiles', 'offline', 'ending']);
export type CountsAs = z.infer<typeof CountsAs>;

const SiteConnectorView = z.object({
  id: Id,
  station: z.string(),
  number: z.int(),
  type: ConnectorType,
  rated: Watts,
  is_online: z.boolean(),
  is_charging: z.boolean(),
  /** False for a device without charging profiles: its rated power is subtracted from the limit. */
  has_profiles: z.boolean(),
  operation: z.nullable(Id),
  user: z.nullable(z.string()),
  /** Null when it is not known. */
  taken: z.nullable(Watts),
  /** What the device has accepted; null when it may take its rated power. */
  allowed: z.nullable(Watts),
  soc: z.nullable(z.int()),
  /** Before the next start: rated power unless its device was seen to lower it. */
  counts: Watts,
  counts_as: CountsAs,
  /** What the device takes at most by itself while the server is away; null when it has accepted no such limit. */
  fallback: z.nullable(Watts),
});
export type SiteConnectorView = z.infer<typeof SiteConnectorView>;

/** A driver who waits until the site has power for another charge. */
const SiteQueueRow = z.object({
  user: z.object({ id: Id, name: z.string() }),
  station: z.string(),
  number: z.int(),
  type: ConnectorType,
  since: Instant,
  /** When the turn comes if all charges go on as now; null when that cannot be estimated. */
  turn_at: z.nullable(Instant),
  /** While set, it is this driver's turn, and power is kept for them until then. */
  head_start_until: z.nullable(Instant),
});
export type SiteQueueRow = z.infer<typeof SiteQueueRow>;

export const SiteView = z.object({
  ...SiteItem.shape,
  /** Power that is not divided: of what cannot be steered, was not seen to obey, or is about to start. */
  subtracted: Watts,
  /** What all connectors count before the next start. */
  counted: Watts,
  /** Since when the site is above its limit; null while it is not. */
  over_since: z.nullable(Instant),
  /** Charges of the last 24 hours that were stopped because of the limit, the newest first. */
  stops: z.array(z.object({ operation: Id, station: z.string(), number: z.int(), at: Instant, energy: WattHours })),
  rows: z.array(SiteConnectorView),
  /** In order. */
  queue: z.array(SiteQueueRow),
  /** When the figures were read. */
  at: Instant,
});
export type SiteView = z.infer<typeof SiteView>;

export const siteView = endpoint({
  method: 'GET',
  path: '/api/admin/network/sites/:id',
  summary: 'How the power of a site is divided now',
  access: view,
  params: ById,
  reply: SiteView,
  refusals: ['not_found'],
  openInMaintenance: true,
});

export const addSite = endpoint({
  method: 'POST',
  path: '/api/admin/network/sites',
  summary: 'Adds a site; a station that belongs to another one moves here',
  access: manage,
  money: noMoney.network,
  body: SiteSettings,
  reply: z.object({ id: Id }),
  refusals: ['station_not_found'],
});

export const changeSite = endpoint({
  method: 'PATCH',
  path: '/api/admin/network/sites/:id',
  summary: 'Changes the limit and the stations of a site; running charges get their new shares at once',
  access: manage,
  money: noMoney.network,
  params: ById,
  body: SiteSettings,
  reply: z.object({ id: Id }),
  refusals: ['not_found', 'station_not_found'],
});
