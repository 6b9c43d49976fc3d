import { mostOfReport, reportPageError } from '@fpay/contract/page-errors';
import type { Routes } from '../platform/http/routes.ts';
import type { StartedPart } from '../platform/parts.ts';
import type { Platform } from '../platform/platform.ts';
import { addressKey } from '../platform/rate-limits.ts';
import type { UserTables } from '../platform/user-tables.ts';
import { withoutSecrets } from './without-secrets.ts';

/** A page that fails in a loop must fill neither the table nor the log. */
const perAddress = { most: 10, windowMs: 3_600_000 };
/** One bad release fails for every driver; the first thousand reports say the same as a million. */
const perDay = { most: 1_000, windowMs: 86_400_000 };
const keptMs = 30 * 86_400_000;
const longestBrowser = 300;

const pageErrorUserTables: UserTables = {
  page_errors: {
    async onUserMerged(step, from, to) {
      await step.db.updateTable('page_errors').set({ user_id: to }).where('user_id', '=', from).execute();
    },
    async onUserDeleted(step, user) {
      await step.db.updateTable('page_errors').set({ user_id: null }).where('user_id', '=', user).execute();
    },
  },
};

export interface PageErrorsFeature {
  userTables: UserTables;
  sweep: StartedPart;
  routes(routes: Routes): void;
}

/** Errors that the web app reports. They are kept for a month under the code that its user saw. */
export function createPageErrors({
  db,
  clock,
  limits,
  log,
}: Pick<Platform, 'db' | 'clock' | 'limits' | 'log'>): PageErrorsFeature {
  return {
    userTables: pageErrorUserTables,
    sweep: {
      name: 'page errors',
      run: () =>
        db
          .deleteFrom('page_errors')
          .where('created_at', '<', new Date(clock.now().getTime() - keptMs))
          .execute(),
    },
    routes(routes) {
      routes.on(reportPageError, async ({ viewer, device, body }) => {
        await limits.take({ key: `page-errors:address:${addressKey(device.ip)}`, ...perAddress });
        await limits.take({ key: 'page-errors:day', ...perDay });
        const report = {
          code: body.code,
          path: withoutSecrets(body.path).slice(0, mostOfReport.path),
          message: withoutSecrets(body.message).slice(0, mostOfReport.message),
          stack: withoutSecrets(body.stack).slice(0, mostOfReport.stack),
          browser: device.userAgent.slice(0, longestBrowser),
          version: body.version,
          user_id: viewer?.id ?? null,
          created_at: clock.now(),
        };
        // The page repeats a report whose answer was lost; the first one counts.
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('page_errors')
          .values(report)
          .onConflict((conflict) => conflict.column('code').doNothing())
          .executeTakeFirstOrThrow();
        if (numInsertedOrUpdatedRows !== 1n) return undefined;
        const { code, path, message, version, user_id } = report;
        log.warn({ report: code, path, message, version, ...(user_id !== null && { user: user_id }) }, 'page failed');
        return undefined;
      });
    },
  };
}
