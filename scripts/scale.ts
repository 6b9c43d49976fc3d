import { parseArgs } from 'node:util';
import { type NetworkSize, planScale, usualSize } from './scale-plan.ts';

/**
 * Computes processes, cores and disk from the size of a network and the measured figures:
 * npm run scale -- --charge-points 100000 --charges-per-day 200000 --interval 10
 */
const options = {
  'charge-points': { type: 'string' },
  'charges-per-day': { type: 'string' },
  interval: { type: 'string', default: '10' },
  minutes: { type: 'string', default: String(usualSize.minutesPerCharge) },
  heartbeat: { type: 'string', default: String(usualSize.heartbeatSeconds) },
  'reading-days': { type: 'string', default: String(usualSize.readingDays) },
  'message-days': { type: 'string', default: String(usualSize.messageDays) },
  years: { type: 'string', default: String(usualSize.years) },
} as const;

try {
  console.log(printed(sizeOf(parseArgs({ options }).values)));
} catch (error) {
  console.error((error as Error).message);
  console.error('Usage: npm run scale -- --charge-points N --charges-per-day N [--interval SECONDS] [--minutes N]');
  console.error('  [--heartbeat SECONDS] [--reading-days N] [--message-days N] [--years N]');
  process.exitCode = 2;
}

function sizeOf(given: Partial<Record<keyof typeof options, string>>): NetworkSize {
  const number = (name: keyof typeof options): number => {
    const value = Number(given[name]);
    if (!given[name] || !(value > 0) || value > 1e9) throw new Error(`--${name} must be a number above 0`);
    return value;
  };
  return {
    chargePoints: number('charge-points'),
    chargesPerDay: number('charges-per-day'),
    intervalSeconds: number('interval'),
    minutesPerCharge: number('minutes'),
    heartbeatSeconds: number('heartbeat'),
    readingDays: number('reading-days'),
    messageDays: number('message-days'),
    years: number('years'),
  };
}

function printed(size: NetworkSize): string {
  const { atPeak, processes, database, advice } = planScale(size);
  const round = (value: number) => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en'));
  const rows = [
    ['charging in the busiest hour', round(atPeak.charging)],
    ['readings a second', round(atPeak.readingsPerSecond)],
    ['messages of charge points a second', round(atPeak.messagesPerSecond)],
    ['operations begun a second', round(atPeak.operationsPerSecond)],
    ['gateway processes (memory of each)', `${processes.gateway} (${round(processes.gatewayMemoryMb)} MB)`],
    ['api processes', String(processes.api)],
    ['worker processes', String(processes.worker)],
    ['cores of PostgreSQL', String(database.cores)],
    ['database connections without a pool', String(database.connections)],
    ['WAL of readings, to standbys and archive', `${round(database.walMbPerSecond)} MB/s`],
    [`disk: readings, ${size.readingDays} days`, `${round(database.readingsGb)} GB`],
    [`disk: messages, ${size.messageDays} days`, `${round(database.messagesGb)} GB`],
    [`disk: operations, ${size.years} years`, `${round(database.operationsGb)} GB`],
  ];
  const lines = rows.map(([name = '', value]) => `${name.padEnd(40)}${value}`);
  return [...lines, '', ...advice].join('\n');
}
