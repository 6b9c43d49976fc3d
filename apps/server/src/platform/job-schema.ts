import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import { jobQueues } from './job-queues.ts';

/** pg-boss keeps its tables in a schema of its own; they are made by the owner, so that the product's role need not own anything. */
export async function prepareJobSchema(client: pg.Client): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values) },
    supervise: false,
    schedule: false,
  });
  await boss.start();
  for (const [name, options] of Object.entries(jobQueues)) {
    const queue = await boss.getQueue(name);
    await (queue ? boss.updateQueue(name, options) : boss.createQueue(name, options));
  }
  await boss.stop({ graceful: false });
}
