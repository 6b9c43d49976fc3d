import type { FileChange, NetworkFileText } from '@fpay/contract/admin/network/exchange';
import { type Audit, noRecord } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Steps } from '../platform/step.ts';
import { type ExportedNetwork, exportNetwork, networkAsCsv } from './export.ts';
import { type FileProblem, type NetworkFile, readCsvFile, readJsonFile } from './file.ts';
import { type ImportResult, importNetwork } from './import.ts';

/** Files of stations from the back office. A file is written as a whole or not at all. */
export interface NetworkExchange {
  /** What a file would change and what is wrong in it. Nothing is written. */
  preview(file: NetworkFileText): Promise<{ problems: FileProblem[]; changes: FileChange[] }>;
  write(staff: number, file: NetworkFileText): Promise<ImportResult>;
  /** @refuses pricing_unavailable */
  read(staff: number, format: NetworkFileText['format']): Promise<string>;
}

interface Dependencies {
  db: Database;
  steps: Steps;
  clock: Clock;
  secret: string;
  audit: Audit;
  staffLimit: number;
}

const readers = { csv: readCsvFile, json: readJsonFile } as const;
const subject = { kind: 'network', id: 1 } as const;

export function createNetworkExchange({ db, steps, clock, secret, audit, staffLimit }: Dependencies): NetworkExchange {
  const network = { steps, clock, secret, staffLimit };
  return {
    async preview({ format, content }) {
      const file = readers[format](content);
      const changes = changesIn(file, await exportNetwork(db));
      const { problems } = await importNetwork(network, file, { isAllOrNothing: true, isTrial: true });
      return { problems, changes };
    },

    async write(staff, { format, content }) {
      const file = readers[format](content);
      const result = await importNetwork(network, file, {
        isAllOrNothing: true,
        onWritten: (step, written) =>
          audit(step, { staff, action: 'network.import', subject, after: { format, written } }),
      });
      if (result.written === 0) noRecord('unchanged');
      return result;
    },

    async read(staff, format) {
      const exported = await exportNetwork(db);
      await steps.run((step) => audit(step, { staff, action: 'network.export', subject, after: { format } }));
      return format === 'csv' ? networkAsCsv(exported) : `${JSON.stringify(exported, null, 2)}\n`;
    },
  };
}

type Values = Record<string, unknown>;

/** Compares what a file says with what there is. Values that the file leaves out stay as they are. */
export function changesIn(file: NetworkFile, present: ExportedNetwork): FileChange[] {
  const tariffs = file.tariffs.map(({ record }) =>
    changeOf(
      'tariff',
      record.name,
      record,
      present.tariffs.find(({ name }) => name === record.name),
    ),
  );
  // A CSV file has one row for each connector, so the rows of a station are joined first.
  const rows = Map.groupBy(file.stations, ({ record }) => record.number);
  const stations = [...rows].map(([number, parts]) => {
    const known = present.stations.find((station) => station.number === number);
    const records = parts.map(({ record }) => record);
    const wanted = Object.assign({}, ...records.map((record) => flat(record)));
    return changeOf('station', number, wanted, known && flat(known));
  });
  return [...tariffs, ...stations];
}

/** Connectors and links become members of their own, so that two stations can be compared member by member. */
function flat({
  connectors,
  links = [],
  ...station
}: {
  connectors: readonly object[];
  links?: readonly string[] | undefined;
}) {
  const values: Values = { ...station };
  for (const connector of connectors) {
    const { charge_point, connector: number, ...rest } = connector as Values;
    const name = `${charge_point}:${number}`;
    values[name] = 'connector';
    for (const [member, value] of Object.entries(rest)) values[`${name} ${member}`] = value;
  }
  for (const code of links) values[`link ${code}`] = 'link';
  return values;
}

function changeOf(kind: FileChange['kind'], name: string, wanted: object, known: object | undefined): FileChange {
  if (!known) return { kind, name, action: 'add', details: [] };
  const before = known as Values;
  const details = Object.entries(wanted as Values)
    .filter(([member, value]) => value !== undefined && shown(value) !== shown(before[member]))
    .map(([member, value]) => `${member}: ${shown(before[member])} → ${shown(value)}`);
  return { kind, name, action: details.length > 0 ? 'change' : 'same', details };
}

function shown(value: unknown): string {
  if (value === undefined || value === null || value === false) return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
