import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, Instant } from './wire.ts';

/** Letters and digits that cannot be confused when they are read out on the phone. */
export const reportAlphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
export const ReportCode = z.string().check(z.regex(/^[A-HJKMNP-Z2-9]{8}$/));

export const mostOfReport = { path: 200, message: 300, stack: 4000, version: 40 } as const;
const upTo = (length: number) => z.string().check(z.maxLength(length));

export const reportPageError = endpoint({
  method: 'POST',
  path: '/api/page-errors',
  summary: 'Report an error of the web app, so that staff find it by the code on the screen',
  access: 'anyone',
  body: z.object({
    /** Made by the page. */
    code: ReportCode,
    path: upTo(mostOfReport.path),
    message: upTo(mostOfReport.message),
    stack: upTo(mostOfReport.stack),
    version: upTo(mostOfReport.version),
  }),
  openInMaintenance: true,
});

export const PageErrorReport = z.object({
  code: ReportCode,
  user: z.nullable(z.object({ id: Id, name: z.string() })),
  path: z.string(),
  message: z.string(),
  stack: z.string(),
  browser: z.string(),
  version: z.string(),
  created_at: Instant,
});
export type PageErrorReport = z.infer<typeof PageErrorReport>;

export const readPageError = endpoint({
  method: 'GET',
  path: '/api/admin/page-errors/:code',
  summary: 'One reported error of the web app',
  access: ['access-admin-page', 'monitor-operations'],
  params: z.object({ code: ReportCode }),
  reply: PageErrorReport,
  refusals: ['not_found'],
});
