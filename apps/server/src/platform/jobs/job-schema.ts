import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import type { QueueOptions } from './job-queue.ts';

/**
 * pg-boss has its tables in its own schema. The owner creates them, so that the product's role need not own anything.
 */
export async function prepareJobSchema(
  client: pg.Client,
  queues: Readonly<Record<string, QueueOptions>>,
): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values) },
    supervise: false,
    schedule: false,
  });
  await boss.start();
  for (const [name, options] of Object.entries(queues)) {
    const queue = await boss.getQueue(name);
    await (queue ? boss.updateQueue(name, options) : boss.createQueue(name, options));
  }
  await boss.stop({ graceful: false });
}
