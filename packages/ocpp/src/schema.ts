import type { OcppFault } from './codes.ts';
import { MAX_REPAIRS } from './limits.ts';

/**
 * A description of a value with two uses: `json` is the standard's strict rule, compiled once, for what we send and for
 * the common case of what we receive; `read` accepts what real charge points send instead.
 */
export interface Schema<Wire = unknown, Read = Wire> {
  readonly json: JsonSchema;
  read(value: unknown, at: string, reading: ReadContext): Read | Unreadable;
  /** The value of a missing field. Without it, a missing field makes its parent unreadable. */
  absent?(at: string, reading: ReadContext): Read;
  readonly isOptional?: boolean;
  /** Used only by the type checker. */
  readonly wire?: Wire;
}

export type JsonSchema = Record<string, unknown>;
export type WireOf<S> = S extends Schema<infer Wire, unknown> ? Wire : never;
export type ReadOf<S> = S extends Schema<unknown, infer Read> ? Read : never;

export const UNREADABLE: unique symbol = Symbol('unreadable');
export type Unreadable = typeof UNREADABLE;

/** The state of one tolerant reading: the repairs so far, and the reason of a failure. */
export class ReadContext {
  readonly repairs: string[] = [];
  readonly receivedAt: number;
  failure: { fault: OcppFault; description: string } | null = null;

  constructor(receivedAt: number) {
    this.receivedAt = receivedAt;
  }

  note(at: string, what: string): void {
    if (this.repairs.length < MAX_REPAIRS) this.repairs.push(at === '' ? what : `${at}: ${what}`);
  }

  fail(fault: OcppFault, at: string, why: string): Unreadable {
    this.failure ??= { fault, description: at === '' ? why : `${at} ${why}` };
    return UNREADABLE;
  }

  /** The field is optional, so the failure becomes a note. */
  ignoreFailure(): void {
    if (this.failure !== null) this.note('', this.failure.description);
    this.failure = null;
  }
}

/** A few characters of any value for a log line; never the whole value, which may be a megabyte or a secret. */
export function preview(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : 'nothing';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The field may be omitted; an unreadable value is omitted too. */
export interface Optional<Wire, Read> extends Schema<Wire, Read> {
  readonly isOptional: true;
}

export function optional<Wire, Read>(inner: Schema<Wire, Read>): Optional<Wire, Read> {
  return {
    json: inner.json,
    isOptional: true,
    read(value, at, reading) {
      const read = inner.read(value, at, reading);
      if (read === UNREADABLE) reading.ignoreFailure();
      return read;
    },
  };
}

/** Required on the wire. When the field is missing or invalid, `value` replaces it and the message is kept. */
export function orElse<Wire, Read, Else>(inner: Schema<Wire, Read>, value: Else): Schema<Wire, Read | Else> {
  // Many messages share this value, so it must not be changed.
  Object.freeze(value);
  return {
    json: inner.json,
    read(raw, at, reading) {
      const read = inner.read(raw, at, reading);
      if (read !== UNREADABLE) return read;
      reading.ignoreFailure();
      return value;
    },
    absent(at, reading) {
      reading.note(at, 'missing');
      return value;
    },
  };
}

export function orNull<Wire, Read>(inner: Schema<Wire, Read>): Schema<Wire, Read | null> {
  return orElse(inner, null);
}

type Fields = Record<string, Schema>;
type OptionalKeys<F extends Fields> = { [K in keyof F]: F[K] extends { isOptional: true } ? K : never }[keyof F];
type Flat<T> = { [K in keyof T]: T[K] };
export type WireObject<F extends Fields> = Flat<
  { [K in Exclude<keyof F, OptionalKeys<F>>]: WireOf<F[K]> } & { [K in OptionalKeys<F>]?: WireOf<F[K]> }
>;
export type ReadObject<F extends Fields> = Flat<
  { [K in Exclude<keyof F, OptionalKeys<F>>]: ReadOf<F[K]> } & { [K in OptionalKeys<F>]?: ReadOf<F[K]> }
>;

/** `needsOneOf`: fields of which at least one must be readable; otherwise the object is useless. */
export function object<F extends Fields>(
  fields: F,
  { needsOneOf = [] }: { needsOneOf?: readonly (keyof F & string)[] } = {},
): Schema<WireObject<F>, ReadObject<F>> {
  const entries = Object.entries(fields) as [string, Schema][];
  return {
    json: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, field]) => [name, field.json])),
      required: entries.filter(([, field]) => field.isOptional !== true).map(([name]) => name),
      additionalProperties: false,
    },
    read(value, at, reading) {
      if (!isObject(value))
        return reading.fail(at === '' ? 'formation' : 'type', at, `is ${preview(value)}, not an object`);
      const result: Record<string, unknown> = {};
      for (const [name, field] of entries) {
        const path = at === '' ? name : `${at}.${name}`;
        const read = readField(value, name, field, path, reading);
        if (read !== UNREADABLE) result[name] = read;
        else if (reading.failure !== null) return UNREADABLE;
      }
      for (const name in value) {
        if (!Object.hasOwn(fields, name)) reading.note(at, `unknown field ${preview(name)} left out`);
      }
      if (needsOneOf.length > 0 && needsOneOf.every((name) => result[name] === null || result[name] === undefined)) {
        return reading.fail('occurrence', at, `has none of ${needsOneOf.join(', ')}`);
      }
      return result as ReadObject<F>;
    },
  };
}

/** Fields that an older version of the protocol names differently are read under their present names. */
export function formerly<Wire, Read>(
  inner: Schema<Wire, Read>,
  names: Record<string, readonly string[]>,
): Schema<Wire, Read> {
  return {
    ...inner,
    read(value, at, reading) {
      if (!isObject(value)) return inner.read(value, at, reading);
      const renamed: Record<string, unknown> = { ...value };
      for (const [name, former] of Object.entries(names)) {
        const found = former.find((one) => Object.hasOwn(value, one));
        if (Object.hasOwn(value, name) || found === undefined) continue;
        renamed[name] = value[found];
        delete renamed[found];
        reading.note(at, `${found}, taken as ${name}`);
      }
      return inner.read(renamed, at, reading);
    },
  };
}

function readField(
  parent: Record<string, unknown>,
  name: string,
  field: Schema,
  path: string,
  reading: ReadContext,
): unknown {
  const value = Object.hasOwn(parent, name) ? parent[name] : undefined;
  if (value !== undefined && value !== null) return field.read(value, path, reading);
  if (field.isOptional === true) {
    if (value === null) reading.note(path, 'null, taken as left out');
    return UNREADABLE;
  }
  if (field.absent !== undefined) return field.absent(path, reading);
  return reading.fail('occurrence', path, 'is missing');
}

/** A single object is read as a list of one. An item that cannot be read is omitted; the others are kept. */
export function list<Wire, Read>(item: Schema<Wire, Read>): Schema<Wire[], Read[]> {
  return {
    json: { type: 'array', items: item.json },
    read(value, at, reading) {
      let values = value;
      if (!Array.isArray(values)) {
        if (!isObject(value)) return reading.fail('type', at, `is ${preview(value)}, not a list`);
        reading.note(at, 'a single item, taken as a list');
        values = [value];
      }
      const result: Read[] = [];
      for (const [index, one] of (values as unknown[]).entries()) {
        const read = item.read(one, `${at}[${index}]`, reading);
        if (read === UNREADABLE) reading.ignoreFailure();
        else result.push(read);
      }
      return result;
    },
  };
}
