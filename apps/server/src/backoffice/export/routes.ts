import type { Readable } from 'node:stream';
import { exportFeedback, exportOperations, exportStats, exportUsers } from '@fpay/contract/admin/export';
import type { FastifyReply } from 'fastify';
import type { Audit } from '../../platform/audit.ts';
import { withoutPhones } from '../../platform/audit-reads.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { Steps } from '../../platform/step.ts';
import type { FeedbackList } from '../feedback/list.ts';
import type { OperationList } from '../operations/list.ts';
import type { StatsService } from '../stats/service.ts';
import type { UserList } from '../users/list.ts';
import { feedbackCsv, operationsCsv, statsCsv, usersCsv } from './exports.ts';

interface Parts {
  operations: OperationList;
  users: UserList;
  feedback: FeedbackList;
  stats: StatsService;
  steps: Steps;
  audit: Audit;
}

/** Who took data out of the product, and which, is on record before the first byte leaves. */
export function exportRoutes(routes: Routes, { operations, users, feedback, stats, steps, audit }: Parts): void {
  async function send(reply: FastifyReply, staff: number, name: string, filter: object, csv: () => Readable) {
    await steps.run((step) =>
      audit(step, {
        staff,
        action: `export.${name}`,
        subject: { kind: 'export', id: staff },
        after: withoutPhones(filter),
      }),
    );
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="fpay-${name}.csv"`)
      .header('cache-control', 'no-store')
      .send(csv()) as never;
  }

  routes.on(exportOperations, ({ viewer, query, http }) =>
    send(http.reply, viewer.id, 'operations', query, () => operationsCsv(operations, query)),
  );
  routes.on(exportUsers, ({ viewer, query, http }) =>
    send(http.reply, viewer.id, 'users', query, () => usersCsv(users, query.with_temp ?? false)),
  );
  routes.on(exportFeedback, ({ viewer, query, http }) => {
    const { from = 1, to = 5, with_comments_only: withCommentsOnly = false, station_number: station, user } = query;
    return send(http.reply, viewer.id, 'feedback', query, () =>
      feedbackCsv(feedback, { from, to, withCommentsOnly, station, user }),
    );
  });
  routes.on(exportStats, async ({ viewer, query, http }) => {
    const days = await stats.days(query);
    return send(http.reply, viewer.id, 'stats', query, () => statsCsv(days));
  });
}
