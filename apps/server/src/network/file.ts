import { CsvError, parseCsv, withoutGuard } from './csv.ts';
import { readJson } from './json-lines.ts';
import { type NamedTariff, readNamedTariff, readStation, type StationRecord } from './station-record.ts';

export interface Row<T> {
  line: number;
  record: T;
}

export interface FileProblem {
  line: number;
  reason: string;
}

/** The content of a file and its errors, line by line. */
export interface NetworkFile {
  tariffs: Row<NamedTariff>[];
  stations: Row<StationRecord>[];
  problems: FileProblem[];
}

/** One station per element: a list, or a document with `stations` and optionally the `tariffs` that they name. */
export function readJsonFile(content: string): NetworkFile {
  const file = readJson(content.replace(/^\uFEFF/, ''));
  if ('reason' in file) return nothing({ line: file.brokenLine, reason: `not valid JSON: ${file.reason}` });
  const { value: document, elementLines } = file;
  const members = Array.isArray(document) ? { stations: document } : (document as Record<string, unknown> | null);
  const { stations, tariffs = [] } = members ?? {};
  if (!Array.isArray(stations) || !Array.isArray(tariffs)) {
    return nothing({ line: 1, reason: 'must be a list of stations, or an object with lists `stations` and `tariffs`' });
  }
  const problems: FileProblem[] = [];
  return {
    tariffs: readEach(tariffs, elementLines('tariffs'), readNamedTariff, problems),
    stations: readEach(stations, elementLines('stations'), readStation, problems),
    problems,
  };
}

function readEach<T>(
  values: unknown[],
  lines: number[],
  read: (value: unknown) => { record: T } | { reason: string },
  problems: FileProblem[],
): Row<T>[] {
  return values.flatMap((value, index) => {
    const line = lines[index] ?? 1;
    const result = read(value);
    if ('record' in result) return [{ line, record: result.record }];
    problems.push({ line, reason: result.reason });
    return [];
  });
}

export const csvColumns = [
  'number',
  'address',
  'address_uk',
  'lat',
  'lon',
  'party',
  'virtual',
  'charge_point',
  'connector',
  'type',
  'power',
  'has_cable',
  'price',
  'tariff',
  'link',
] as const;
type Column = (typeof csvColumns)[number];
const neededColumns: Column[] = ['number', 'address', 'address_uk', 'lat', 'lon'];
const isColumn = (name: string): name is Column => (csvColumns as readonly string[]).includes(name);

/** One connector per row; rows of one station repeat its address and place. */
export function readCsvFile(text: string): NetworkFile {
  try {
    const [head, ...rows] = parseCsv(text);
    if (!head) return nothing({ line: 1, reason: 'the file is empty' });
    const columns = head.cells.map((name) => name.trim().toLowerCase());
    const unknown = columns.filter((name) => !isColumn(name));
    const missing = neededColumns.filter((name) => !columns.includes(name));
    if (unknown.length > 0) return nothing({ line: head.line, reason: `unknown columns: ${unknown.join(', ')}` });
    if (missing.length > 0) return nothing({ line: head.line, reason: `missing columns: ${missing.join(', ')}` });

    const problems: FileProblem[] = [];
    const stations = rows.flatMap(({ line, cells }) => {
      if (cells.length !== columns.length) {
        problems.push({ line, reason: `has ${cells.length} cells instead of ${columns.length}` });
        return [];
      }
      const row = Object.fromEntries(columns.map((name, index) => [name, withoutGuard(cells[index] ?? '').trim()]));
      return readEach([stationOf(row)], [line], readStation, problems);
    });
    return { tariffs: [], stations, problems };
  } catch (error) {
    if (error instanceof CsvError) return nothing({ line: error.line, reason: error.message });
    throw error;
  }
}

/**
 * Cells are texts. A cell that does not look like its type stays a text, and the check of the record explains what is
 * wrong.
 */
function stationOf(row: Partial<Record<Column, string>>): object {
  const given = (name: Column) => (row[name] ? row[name] : undefined);
  const number = (name: Column) => {
    const cell = given(name);
    return cell !== undefined && /^-?\d+([.,]\d+)?$/.test(cell) ? Number(cell.replace(',', '.')) : cell;
  };
  const flag = (name: Column) => flags[given(name)?.toLowerCase() ?? ''] ?? given(name);
  const connector = {
    charge_point: given('charge_point'),
    connector: number('connector'),
    type: given('type'),
    power: number('power'),
    has_cable: flag('has_cable'),
    price: number('price'),
    tariff: given('tariff'),
  };
  return {
    number: given('number'),
    address: given('address'),
    address_uk: given('address_uk'),
    lat: number('lat'),
    lon: number('lon'),
    party: number('party'),
    virtual: flag('virtual'),
    links: given('link') === undefined ? undefined : [given('link')],
    connectors: Object.values(connector).some((value) => value !== undefined) ? [connector] : [],
  };
}

const flags: Record<string, boolean> = { yes: true, true: true, '1': true, no: false, false: false, '0': false };

function nothing(problem: FileProblem): NetworkFile {
  return { tariffs: [], stations: [], problems: [problem] };
}
