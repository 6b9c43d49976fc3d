import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { noMoney } from '../../staff-money.ts';
import { StationNumber } from '../../stations.ts';
import { LinkCode } from './stations.ts';

const view = ['access-admin-page', 'view-network'] as const;
const manage = ['access-admin-page', 'view-network', 'manage-network'] as const;

/** As many as fit on 50 sheets of A4. */
export const mostCodes = 200;
/** `a6`: one sticker a page. `a4`: four stickers a page with lines to cut along. */
export const sheetSizes = ['a6', 'a4'] as const;
export const SheetSize = z.enum(sheetSizes);
export type SheetSize = z.infer<typeof SheetSize>;

/** Numbers of stations in a query: `F1400,F1401`. */
const StationsText = z.pipe(
  z.string().check(z.maxLength(mostCodes * 10)),
  z.pipe(
    z.transform((text: string) => text.split(',')),
    z.array(StationNumber).check(z.minLength(1), z.maxLength(mostCodes)),
  ),
);

export const codeSheet = endpoint({
  method: 'GET',
  path: '/api/admin/network/codes/sheet',
  summary: 'QR codes of stations as a PDF to print',
  access: view,
  query: z.object({ stations: StationsText, size: SheetSize }),
  produces: 'application/pdf',
  refusals: ['station_not_found', 'code_missing'],
  openInMaintenance: true,
});

export const addStationCodes = endpoint({
  method: 'POST',
  path: '/api/admin/network/codes',
  summary: 'Give a code to each of these stations that has none',
  access: manage,
  money: noMoney.network,
  body: z.object({ stations: z.array(StationNumber).check(z.minLength(1), z.maxLength(mostCodes)) }),
  reply: z.array(z.object({ station: StationNumber, code: LinkCode })),
  refusals: ['station_not_found'],
});

export const pointCode = endpoint({
  method: 'PATCH',
  path: '/api/admin/network/codes/:code',
  summary: 'Let a printed code lead to another station',
  access: manage,
  money: noMoney.network,
  params: z.object({ code: LinkCode }),
  body: z.object({ station: StationNumber }),
  refusals: ['station_not_found', 'not_found'],
});
