import { assumed, measured } from './scale-figures.ts';

export interface NetworkSize {
  chargePoints: number;
  chargesPerDay: number;
  /** Seconds between two readings of a charge. */
  intervalSeconds: number;
  minutesPerCharge: number;
  heartbeatSeconds: number;
  /** How long readings and messages are stored. Operations and payments are never deleted. */
  readingDays: number;
  messageDays: number;
  years: number;
}

export const usualSize: Omit<NetworkSize, 'chargePoints' | 'chargesPerDay' | 'intervalSeconds'> = {
  minutesPerCharge: 40,
  heartbeatSeconds: 120,
  readingDays: 396,
  messageDays: 7,
  years: 3,
};

export interface ScalePlan {
  atPeak: { charging: number; readingsPerSecond: number; messagesPerSecond: number; operationsPerSecond: number };
  processes: { gateway: number; api: number; worker: number; gatewayMemoryMb: number };
  database: {
    cores: number;
    connections: number;
    walMbPerSecond: number;
    diskGb: number;
    readingsGb: number;
    messagesGb: number;
    operationsGb: number;
  };
  advice: string[];
}

const hourSeconds = 3_600;
const daySeconds = 24 * hourSeconds;
/** Connections of one process: its pool, the listener and the map. */
const connectionsPerProcess = 22;
/** More connections than this cost PostgreSQL more than a pool in front of it. */
const mostConnections = 300;
/** The largest machine that providers rent for PostgreSQL today has about this many cores. */
const mostDatabaseCores = 96;
const gigabyte = 1e9;

/** How many processes, cores and bytes a network needs, by the measured figures. */
export function planScale(size: NetworkSize): ScalePlan {
  const charging = Math.ceil(
    (size.chargesPerDay * assumed.busiestHourShare * size.minutesPerCharge * 60) / hourSeconds,
  );
  const readingsPerSecond = charging / size.intervalSeconds;
  const operationsPerSecond = (size.chargesPerDay * assumed.busiestHourShare) / hourSeconds;
  const otherPerSecond =
    size.chargePoints / size.heartbeatSeconds + operationsPerSecond * assumed.otherMessagesPerCharge;
  const messagesPerSecond = readingsPerSecond + otherPerSecond;

  const gatewayCores =
    (readingsPerSecond * measured.serverCpuPerReadingUs + otherPerSecond * measured.serverCpuPerStatusUs) / 1e6;
  const gateway = atLeastTwo(
    Math.max(size.chargePoints / measured.chargePointsPerProcess, gatewayCores / assumed.busyShare),
  );
  const serverSecondsPerOperation = measured.serverShareOfOperations / measured.operationsPerSecond;
  const api = atLeastTwo((operationsPerSecond * serverSecondsPerOperation) / assumed.busyShare);
  const worker = atLeastTwo((operationsPerSecond * serverSecondsPerOperation) / assumed.busyShare / 2);

  const databaseBusy =
    (readingsPerSecond * measured.databaseCpuPerReadingUs + otherPerSecond * measured.databaseCpuPerStatusUs) / 1e6 +
    (operationsPerSecond * assumed.databaseShareOfOperations) / measured.operationsPerSecond;
  const cores = atLeastTwo(databaseBusy / assumed.busyShare);
  const connections = (gateway + api + worker) * connectionsPerProcess;

  const walMbPerSecond = (readingsPerSecond * measured.walBytesPerReading) / 1e6;

  const readingsPerDay = (size.chargesPerDay * size.minutesPerCharge * 60) / size.intervalSeconds;
  const messagesPerDay =
    readingsPerDay +
    (size.chargePoints * daySeconds) / size.heartbeatSeconds +
    size.chargesPerDay * assumed.otherMessagesPerCharge;
  const readingsGb = (readingsPerDay * size.readingDays * measured.bytesPerReading) / gigabyte;
  const messagesGb = (messagesPerDay * size.messageDays * assumed.bytesPerMessage) / gigabyte;
  const operationsGb =
    (size.chargesPerDay * 365 * size.years * (measured.bytesPerOperation + assumed.otherBytesPerOperation)) / gigabyte;
  const diskGb = readingsGb + messagesGb + operationsGb;

  const plan = {
    atPeak: { charging, readingsPerSecond, messagesPerSecond, operationsPerSecond },
    processes: {
      gateway,
      api,
      worker,
      gatewayMemoryMb:
        (assumed.bytesPerProcess + (size.chargePoints / gateway) * measured.bytesPerChargePoint) / (1024 * 1024),
    },
    database: { cores, connections, walMbPerSecond, diskGb, readingsGb, messagesGb, operationsGb },
  };
  return { ...plan, advice: adviceFor(plan) };
}

/** One of each may always fail or be updated. */
const atLeastTwo = (count: number) => Math.max(2, Math.ceil(count));

function adviceFor({ processes, database, atPeak }: Omit<ScalePlan, 'advice'>): string[] {
  const { gateway, api, worker } = processes;
  const isSmall = gateway + api + worker <= 6 && database.cores <= 2;
  const advice = [
    isSmall
      ? 'Two nodes with all roles are enough; one machine carries them with PostgreSQL.'
      : `Nodes by role: ${gateway} gateway, ${api} api, ${worker} worker.`,
  ];
  if (database.connections > mostConnections)
    advice.push(`${database.connections} connections: PgBouncer in transaction mode with DIRECT_DATABASE_URL.`);
  if (database.diskGb > 500)
    advice.push(`Keep readings for a shorter time or send them less often: they are ${share(database)} of the disk.`);
  if (database.cores > 4) advice.push('A read replica for statistics and exports.');
  if (atPeak.charging > 20_000) advice.push('Azure Web PubSub for the pages of drivers (AZURE_WEB_PUBSUB).');
  if (database.cores > mostDatabaseCores)
    advice.push('More than one PostgreSQL: one network for each region, or Citus (docs/scale.md).');
  return advice;
}

const share = ({ readingsGb, diskGb }: ScalePlan['database']) => `${Math.round((readingsGb / diskGb) * 100)}%`;
