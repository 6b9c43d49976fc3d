import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

const MapProvider = z.object({
  kind: z.enum(['xyz', 'mvt', 'pmtiles', 'offline']),
  url: z.nullable(z.string()),
  attribution: z.string(),
  maxZoom: z.int(),
  tileSize: z.int(),
});

/** What the network's operator sets and the pages show. The same for everyone, so it comes with the first page. */
export const Settings = z.object({
  brand: z.string(),
  /** The host our QR codes carry. */
  domain: z.string(),
  support_phone: z.string(),
  bot_url: z.string(),
  instruction_url: z.string(),
  landing_url: z.string(),
  terms_url: z.string(),
  /** What a driver agrees to at sign-up is kept with this. */
  terms_version: z.string(),
  social: z.array(z.object({ kind: z.enum(['telegram', 'instagram', 'facebook', 'website']), url: z.string() })),
  map: z.object({ base: MapProvider, satellite: z.nullable(MapProvider) }),
  version: z.string(),
});
export type Settings = z.infer<typeof Settings>;

export const getSettings = endpoint({
  method: 'GET',
  path: '/api/settings',
  summary: "The network's own name, links and map",
  access: 'anyone',
  reply: Settings,
  openInMaintenance: true,
});

export const version = '2.9.8';
