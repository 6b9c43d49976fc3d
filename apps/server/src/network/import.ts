import { sql } from 'kysely';
import pg from 'pg';
import type { Clock } from '../platform/clock.ts';
import type { Step, Steps } from '../platform/step.ts';
import type { FileProblem, NetworkFile, Row } from './file.ts';
import type { StationRecord } from './station-record.ts';
import { createNetworkWriter, RowRefused } from './writer.ts';

/** One transaction per row would wait for the disk each time; one for all rows would hold its locks for minutes. */
const rowsPerStep = 200;

export interface ImportOptions {
  /** Nothing is written when anything is wrong. */
  isAllOrNothing: boolean;
  /** Everything is tried and undone again, so that the result says what is wrong. Only for all or nothing. */
  isTrial?: boolean;
  /** Called in each step that wrote rows, with their number. All or nothing is one step. */
  onWritten?: (step: Step, written: number) => Promise<void>;
}

export interface ImportResult {
  /** How many rows were written. */
  written: number;
  problems: FileProblem[];
}

interface Dependencies {
  steps: Steps;
  clock: Clock;
  secret: string;
  /** Of a staff member; none on the command line. */
  staffLimit?: number;
}

/**
 * Imports a file row by row: a bad row is reported by line and reason and does not stop the others, unless the import
 * is all or nothing.
 */
export async function importNetwork(
  { steps, clock, secret, staffLimit }: Dependencies,
  file: NetworkFile,
  { isAllOrNothing, isTrial = false, onWritten }: ImportOptions,
): Promise<ImportResult> {
  const { good, problems } = withoutContradictions(file);
  const tasks: Row<(step: Step) => Promise<unknown>>[] = [
    ...file.tariffs.map(({ line, record }) => ({
      line,
      record: (step: Step) => createNetworkWriter(step, { now: clock.now(), secret, staffLimit }).putTariff(record),
    })),
    // Virtual stations are written last, because they list connectors that the same file may add.
    ...good.toSorted(virtualLast).map(({ line, record }) => ({
      line,
      record: (step: Step) => createNetworkWriter(step, { now: clock.now(), secret, staffLimit }).putStation(record),
    })),
  ];
  // A trial goes on, because the author wants to correct all lines at once.
  if (isAllOrNothing && problems.length > 0 && !isTrial) return { written: 0, problems: inOrder(problems) };

  let written = 0;
  const size = isAllOrNothing ? Math.max(1, tasks.length) : rowsPerStep;
  for (let start = 0; start < tasks.length; start += size) {
    const batch = tasks.slice(start, start + size);
    try {
      const refused = await steps.run(async (step) => {
        const found: FileProblem[] = [];
        for (const { line, record: write } of batch) {
          const reason = await tried(step, () => write(step));
          if (reason !== null) found.push({ line, reason });
        }
        if (isTrial || (isAllOrNothing && found.length > 0)) throw new AllRefused(found);
        if (batch.length > found.length) await onWritten?.(step, batch.length - found.length);
        return found;
      });
      written += batch.length - refused.length;
      problems.push(...refused);
    } catch (error) {
      if (!(error instanceof AllRefused)) throw error;
      problems.push(...error.problems);
    }
  }
  return { written, problems: inOrder(problems) };
}

class AllRefused extends Error {
  readonly problems: FileProblem[];

  constructor(problems: FileProblem[]) {
    super('nothing was written');
    this.problems = problems;
  }
}

/** Each row has its own savepoint: what it wrote before it failed is undone, and the rest of the batch stays. */
async function tried(step: Step, write: () => Promise<unknown>): Promise<string | null> {
  await sql`savepoint import_row`.execute(step.db);
  try {
    await write();
    await sql`release savepoint import_row`.execute(step.db);
    return null;
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === null) throw error;
    await sql`rollback to savepoint import_row`.execute(step.db);
    return reason;
  }
}

/** Our own refusals and the database's errors about the data itself; any other error is not caused by the row. */
function reasonOf(error: unknown): string | null {
  if (error instanceof RowRefused) return error.message;
  if (error instanceof pg.DatabaseError && /^(22|23)/.test(error.code ?? '')) return error.message;
  return null;
}

/** Rows of one station must agree about it, and a connector may occur only once. */
function withoutContradictions({ stations, problems }: NetworkFile): {
  good: Row<StationRecord>[];
  problems: FileProblem[];
} {
  const found: FileProblem[] = [...problems];
  const heads = new Map<string, { line: number; head: string }>();
  const connectors = new Map<string, number>();
  const good = stations.filter(({ line, record }) => {
    const { connectors: own, links: _, ...place } = record;
    const head = JSON.stringify(place);
    const before = heads.get(record.number);
    if (before && before.head !== head) {
      found.push({ line, reason: `${record.number} differs from line ${before.line}` });
      return false;
    }
    heads.set(record.number, before ?? { line, head });
    if (record.virtual) return true;
    for (const { charge_point, connector } of own) {
      const key = `${connector} of ${charge_point}`;
      const earlier = connectors.get(key);
      if (earlier !== undefined) {
        found.push({ line, reason: `connector: number ${key} is already on line ${earlier}` });
        return false;
      }
      connectors.set(key, line);
    }
    return true;
  });
  return { good, problems: found };
}

function virtualLast(a: Row<StationRecord>, b: Row<StationRecord>): number {
  return Number(a.record.virtual ?? false) - Number(b.record.virtual ?? false);
}

function inOrder(problems: FileProblem[]): FileProblem[] {
  return problems.toSorted((a, b) => a.line - b.line);
}
