import { useState } from 'react';
import * as z from 'zod/mini';
import { useUser } from '../../../account/queries.ts';
import { widths } from './columns.ts';

const Arrangement = z.object({
  order: z.array(z.string()),
  isShown: z.record(z.string(), z.boolean()),
  widths: z.record(z.string(), z.number().check(z.gte(widths.least), z.lte(widths.most))),
});
/** What a member of staff has changed about the columns of a table. */
export type Arrangement = z.infer<typeof Arrangement>;

export const usual: Arrangement = { order: [], isShown: {}, widths: {} };

const keyOf = (account: number, table: string) => `staff.columns.${account}.${table}`;

/**
 * Kept in this browser for each account: what fits depends on the screen as much as on the person, so a laptop and the wall of
 * a control room have their own.
 */
export function useArrangement(table: string) {
  const account = useUser()?.id ?? 0;
  const [arrangement, setArrangement] = useState(() => kept(account, table));
  return {
    arrangement,
    arrange(next: Arrangement) {
      setArrangement(next);
      try {
        if (next === usual) localStorage.removeItem(keyOf(account, table));
        else localStorage.setItem(keyOf(account, table), JSON.stringify(next));
      } catch {
        // A full or forbidden storage only costs the columns of the next visit.
      }
    },
  };
}

function kept(account: number, table: string): Arrangement {
  try {
    return Arrangement.safeParse(JSON.parse(localStorage.getItem(keyOf(account, table)) ?? 'null')).data ?? usual;
  } catch {
    return usual;
  }
}

/** All columns in the order of the arrangement. One that a new version has added stands where the version has it. */
export function orderOf(ids: readonly string[], { order }: Arrangement): string[] {
  const placed = order.filter((id) => ids.includes(id));
  for (const [index, id] of ids.entries()) if (!placed.includes(id)) placed.splice(index, 0, id);
  return placed;
}

/** A column changes places with its neighbour. */
export function moved(order: readonly string[], id: string, step: 1 | -1): string[] {
  const from = order.indexOf(id);
  const to = Math.min(order.length - 1, Math.max(0, from + step));
  return order.toSpliced(from, 1).toSpliced(to, 0, id);
}

export const inWidths = (px: number) => Math.round(Math.min(widths.most, Math.max(widths.least, px)));
