import { pino } from 'pino';
import { systemClock } from '../../platform/clock.ts';
import { openDatabase } from '../../platform/database.ts';
import { createDueWork } from '../../platform/due-work.ts';

/** A worker of its own process that takes a due row and never finishes it, so that a test can kill it in the middle. */
const [url = '', leaseMs = ''] = process.argv.slice(2);
const { db } = openDatabase({ url });
const dueWork = createDueWork({ db, clock: systemClock, log: pino({ level: 'silent' }) });
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
