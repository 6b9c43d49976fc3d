import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/**
 * What the network does with a saved card: nothing, charge the deposit at once and return the rest, or hold it like a new
 * card where the bank allows that.
 */
export const savedCardModes = ['off', 'charge', 'hold'] as const;
const SavedCardMode = z.enum(savedCardModes);
export type SavedCardMode = z.infer<typeof SavedCardMode>;

const MapProvider = z.object({
  kind: z.enum(['xyz', 'mvt', 'pmtiles', 'offline']),
  url: z.nullable(z.string()),
  attribution: z.string(),
  maxZoom: z.int(),
  tileSize: z.int(),
});

/**
 * Settings that the network's operator defines and pages show. They are the same for everyone, so they are part of the
 * first page.
 */
export const Settings = z.object({
  brand: z.string(),
  /** The host in our QR codes. */
  domain: z.string(),
  support_phone: z.string(),
  bot_url: z.string(),
  instruction_url: z.string(),
  landing_url: z.string(),
  terms_url: z.string(),
  /** The version of the terms that is stored when a driver accepts them at sign-up. */
  terms_version: z.string(),
  social: z.array(z.object({ kind: z.enum(['telegram', 'instagram', 'facebook', 'website']), url: z.string() })),
  map: z.object({ base: MapProvider, satellite: z.nullable(MapProvider) }),
  saved_cards: SavedCardMode,
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
