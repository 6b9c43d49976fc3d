import * as z from 'zod/mini';
import type { Dice } from './dice.ts';
import { hostileTexts, hostileValues } from './hostile.ts';

type Schema = z.core.$ZodType;

interface Def {
  type: string;
  shape?: Record<string, Schema>;
  element?: Schema;
  innerType?: Schema;
  options?: Schema[];
  in?: Schema;
  entries?: Record<string, string | number>;
  values?: unknown[];
}

const defOf = (schema: Schema) => schema._zod.def as unknown as Def;

/** Values that some schema of the contract accepts; each leaf uses those that its own schema accepts. */
const usualLeaves: readonly unknown[] = [
  ...hostileTexts,
  'Олена Коваль',
  'a-test-password',
  'another-password-1',
  '+380671112233',
  '+48600700800',
  '123456',
  'uk',
  'F2001',
  '/balance',
  '100',
  '10.50',
  '2026-11',
  '2026-11-01',
  '2026-11-30',
  'AE1234KA',
  'day',
  'month',
  'year',
  '1',
  '2',
  '3',
  '50',
  0,
  1,
  2,
  3,
  4,
  5,
  40.5,
  100,
  1_000,
  50_00,
  100_00,
  600_000_001,
  true,
  false,
  null,
];

/**
 * Values for the schemas of the contract: valid ones, ones with one error, and hostile ones. `known` has ids, phones
 * and numbers that exist in the database, so that valid values also find something.
 */
export function createValues(dice: Dice, known: readonly unknown[]) {
  const accepted = new Map<Schema, unknown[]>();

  function leavesFor(schema: Schema): unknown[] {
    const found = accepted.get(schema);
    if (found) return found;
    const { entries, values } = defOf(schema);
    const candidates = [...known, ...usualLeaves, ...Object.values(entries ?? {}), ...(values ?? [])];
    const list = candidates.filter((value) => z.safeParse(schema, value).success);
    accepted.set(schema, list);
    return list;
  }

  function valid(schema: Schema): unknown {
    const def = defOf(schema);
    if (def.shape) return validObject(def.shape);
    if (def.element) return Array.from({ length: dice.pick([0, 1, 1, 2]) }, () => valid(def.element as Schema));
    const leaves = leavesFor(schema);
    const isWrapper = def.innerType && (leaves.length === 0 || dice.chance(0.7));
    if (isWrapper) return valid(def.innerType as Schema);
    if (leaves.length > 0) return dice.pick(leaves);
    if (def.options) return valid(dice.pick(def.options));
    return def.in ? valid(def.in) : dice.pick(hostileValues);
  }

  function validObject(shape: Record<string, Schema>): Record<string, unknown> {
    const members = Object.entries(shape).filter(([, member]) => defOf(member).type !== 'optional' || dice.chance(0.6));
    return Object.fromEntries(members.map(([name, member]) => [name, valid(member)]));
  }

  /** The same with one error: a wrong value, a field too few, a field too many. */
  function nearlyValid(value: unknown): unknown {
    if (value === null || typeof value !== 'object') return dice.pick(hostileValues);
    if (Array.isArray(value)) {
      if (value.length === 0 || dice.chance(0.3)) return [...value, dice.pick(hostileValues)];
      const place = dice.upTo(value.length - 1);
      return value.map((item, index) => (index === place ? nearlyValid(item) : item));
    }
    const names = Object.keys(value);
    const name = dice.pick(names);
    if (names.length === 0 || dice.chance(0.1))
      return { ...value, [dice.pick(hostileTexts)]: dice.pick(hostileValues) };
    if (dice.chance(0.15)) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
    return { ...value, [name]: nearlyValid((value as Record<string, unknown>)[name]) };
  }

  function hostile(schema: Schema | undefined): Record<string, unknown> {
    const names = Object.keys((schema && defOf(schema).shape) ?? {});
    return Object.fromEntries(names.map((name) => [name, dice.pick(hostileValues)]));
  }

  return { valid, nearlyValid, hostile };
}

export type Values = ReturnType<typeof createValues>;
