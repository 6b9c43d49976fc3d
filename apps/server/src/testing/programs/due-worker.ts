import { pino } from 'pino';
import { systemClock } from '../../platform/clock.ts';
import { openDatabase } from '../../platform/database.ts';
import { createDueWork } from '../../platform/jobs/due-work.ts';
import { createRowLoops } from '../../platform/rows/row-loops.ts';
import { createSteps } from '../../platform/step.ts';
import { createMetrics } from '../../platform/watching/metrics.ts';

/**
 * A worker in its own process that claims a due row and never finishes it, so that a test can kill it in the middle.
 */
const [url = '', leaseMs = ''] = process.argv.slice(2);
const { db } = openDatabase({ url });
const log = pino({ level: 'silent' });
const rows = createRowLoops({ log, metrics: createMetrics() });
const dueWork = createDueWork<{ errand: 'errands' }>({
  db,
  steps: createSteps(db, () => {}),
  clock: systemClock,
  log,
  rows,
});
dueWork.register({
  name: 'errand',
  table: 'errands',
  leaseMs: Number(leaseMs),
  async run(id) {
    process.stdout.write(`took ${id}\n`);
    await new Promise(() => {});
  },
});
dueWork.start();
