import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { noMoney } from '../../staff-money.ts';

const manage = ['access-admin-page', 'view-network', 'manage-network'] as const;
const view = ['access-admin-page', 'view-network'] as const;

/** In characters. A larger network is imported from the command line. */
export const mostFileText = 400_000;

/** A letter may take several bytes in a request. */
const mostBodyBytes = 2_000_000;

export const NetworkFileText = z.object({
  format: z.enum(['csv', 'json']),
  content: z.string().check(z.minLength(1), z.maxLength(mostFileText)),
});
export type NetworkFileText = z.infer<typeof NetworkFileText>;

const Problem = z.object({
  line: z.int(),
  /** In English, for the person who has to correct the file. */
  reason: z.string(),
});

export const FileChange = z.object({
  kind: z.enum(['station', 'tariff']),
  name: z.string(),
  action: z.enum(['add', 'change', 'same']),
  /** `address: old → new`, by the names of the file. */
  details: z.array(z.string()),
});
export type FileChange = z.infer<typeof FileChange>;

export const previewImport = endpoint({
  method: 'POST',
  path: '/api/admin/network/import/preview',
  summary: 'What a file of stations would change, and what is wrong in it, line by line; nothing is written',
  onlyReads: true,
  access: manage,
  money: noMoney.reads,
  body: NetworkFileText,
  mostBodyBytes,
  reply: z.object({ problems: z.array(Problem), changes: z.array(FileChange) }),
});

export const importStations = endpoint({
  method: 'POST',
  path: '/api/admin/network/import',
  summary: 'Write a file of stations, all of it or nothing',
  access: manage,
  money: noMoney.network,
  body: NetworkFileText,
  mostBodyBytes,
  reply: z.object({ written: z.int(), problems: z.array(Problem) }),
});

export const exportStationsCsv = endpoint({
  method: 'GET',
  path: '/api/admin/network/export/csv',
  summary: 'Stations and connectors as CSV, one connector a line',
  access: view,
  produces: 'text/csv',
  refusals: ['pricing_unavailable'],
  openInMaintenance: true,
});

export const exportStationsJson = endpoint({
  method: 'GET',
  path: '/api/admin/network/export/json',
  summary: 'The whole network with its tariffs, as the import reads it',
  access: view,
  produces: 'application/json',
  refusals: ['pricing_unavailable'],
  openInMaintenance: true,
});
