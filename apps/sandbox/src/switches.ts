import * as z from 'zod/mini';
import type { Database } from './database.ts';
import { type Fault, faultOff } from './fault.ts';

/** Values of one part's switches by name; the schema of the part defines them. */
export type SwitchValues = Record<string, unknown>;

/**
 * The faults of a part: for all callers, or for one scope (an invoice's reference, a phone). They are stored in the
 * database, so they survive a restart.
 */
export interface Switches<Values extends SwitchValues> {
  /** The values that apply to a caller; of several scopes the later one takes precedence. */
  effective(...scopes: (string | null)[]): Values;
  /** The values that were set for this scope. */
  own(scope: string | null): Partial<Values>;
  scopes(): string[];
  /** Null resets a switch to its fallback. */
  set(scope: string | null, changes: { [Name in keyof Values]?: Values[Name] | null | undefined }): void;
  /** Resets one scope, or all of them including the general one. */
  reset(scope?: string): void;
  /** The fault that applies to this call; a fault with a count is decremented. */
  takeFault(name: keyof Values & string, ...scopes: (string | null)[]): Fault;
}

interface Row {
  scope: string;
  name: string;
  value: string;
}

const everyone = '';

export function createSwitches<Values extends SwitchValues>(
  db: Database,
  part: string,
  defaults: Values,
): Switches<Values> {
  db.schema(`CREATE TABLE IF NOT EXISTS switches (
    part TEXT NOT NULL, scope TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (part, scope, name)
  ) STRICT`);

  const byScope = new Map<string, SwitchValues>();
  for (const row of db.all<Row>('SELECT scope, name, value FROM switches WHERE part = ?', part)) {
    // A switch of an older version that no longer exists is ignored.
    if (row.name in defaults) byScope.set(row.scope, { ...byScope.get(row.scope), [row.name]: JSON.parse(row.value) });
  }

  function put(scope: string, name: string, value: unknown): void {
    if (value === null) {
      db.run('DELETE FROM switches WHERE part = ? AND scope = ? AND name = ?', part, scope, name);
      const { [name]: _gone, ...rest } = byScope.get(scope) ?? {};
      if (Object.keys(rest).length > 0) byScope.set(scope, rest);
      else byScope.delete(scope);
      return;
    }
    db.run('INSERT OR REPLACE INTO switches VALUES (?, ?, ?, ?)', part, scope, name, JSON.stringify(value));
    byScope.set(scope, { ...byScope.get(scope), [name]: value });
  }

  const layers = (scopes: (string | null)[]): string[] => [everyone, ...scopes.filter((scope) => scope !== null)];

  return {
    effective: (...scopes) => Object.assign({}, defaults, ...layers(scopes).map((scope) => byScope.get(scope))),
    own: (scope) => (byScope.get(scope ?? everyone) ?? {}) as Partial<Values>,
    scopes: () => [...byScope.keys()].filter((scope) => scope !== everyone),
    set(scope, changes) {
      db.transaction(() => {
        for (const [name, value] of Object.entries(changes)) {
          if (value !== undefined) put(scope ?? everyone, name, value);
        }
      });
    },
    reset(scope) {
      if (scope === undefined) {
        db.run('DELETE FROM switches WHERE part = ?', part);
        byScope.clear();
      } else {
        db.run('DELETE FROM switches WHERE part = ? AND scope = ?', part, scope);
        byScope.delete(scope);
      }
    },
    takeFault(name, ...scopes) {
      for (const scope of layers(scopes).reverse()) {
        const fault = byScope.get(scope)?.[name] as Fault | undefined;
        if (!fault) continue;
        if (fault.kind !== 'off' && fault.times !== null) {
          put(scope, name, fault.times > 1 ? { ...fault, times: fault.times - 1 } : null);
        }
        return fault;
      }
      return faultOff;
    },
  };
}

/** Switches from a form; an empty field resets the switch. */
export function fromForm(fields: unknown): unknown {
  if (typeof fields !== 'object' || fields === null) return fields;
  const words: Record<string, unknown> = { '': null, true: true, false: false };
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => {
      const value = String(text).trim();
      if (value in words) return [name, words[value]];
      return [name, /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value];
    }),
  );
}

/** Switches in a request: an absent one stays, null resets it. */
export function changesOf<Shape extends Record<string, z.ZodMiniType>>(shape: Shape) {
  const entries = Object.entries(shape).map(([name, schema]) => [name, z.optional(z.nullable(schema))]);
  return Object.fromEntries(entries) as { [Name in keyof Shape]: z.ZodMiniOptional<z.ZodMiniNullable<Shape[Name]>> };
}
