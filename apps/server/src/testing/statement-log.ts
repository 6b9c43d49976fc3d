import pg from 'pg';
import { vi } from 'vitest';

/** The statements of one transaction, without `begin` and `commit`. */
type Statements = string[];

/**
 * Every transaction that this process commits from now on, in the order of the commits. A statement outside of a transaction is
 * one by itself.
 */
export function watchTransactions() {
  const committed: Statements[] = [];
  const open = new Map<pg.Client, Statements>();
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [what] = given as [string | { text?: string }];
    const text = (typeof what === 'string' ? what : (what.text ?? '')).trim();
    const inside = open.get(this);
    if (/^(begin|start transaction)/i.test(text)) open.set(this, []);
    else if (/^rollback$/i.test(text)) open.delete(this);
    else if (/^commit$/i.test(text)) {
      open.delete(this);
      if (inside) committed.push(inside);
    } else if (inside) inside.push(text);
    else committed.push([text]);
    return query.apply(this, given);
  } as never);

  return {
    /** The transactions with a statement that matches. */
    with: (wanted: RegExp): Statements[] => committed.filter((texts) => texts.some((text) => wanted.test(text))),
    end: () => spy.mockRestore(),
  };
}

/** What a statement does and the table that it names first: `update operations`. */
export function shortly(text: string): string {
  const plain = text.replaceAll('"', '').replace(/\/\*.*?\*\//g, '');
  const verb = /\b(insert into|update|delete from)\s+(\w+)/i.exec(plain);
  const locked = /\bfor (no key )?update\b/i.test(plain) ? 'lock' : 'select';
  const from = [...plain.matchAll(/\b(?:from|join)\s+(\w+)/gi)].find(([, name = '']) => name !== 'unnest');
  return verb && !/^\s*select/i.test(plain) ? `${verb[1]} ${verb[2]}`.toLowerCase() : `${locked} ${from?.[1] ?? ''}`;
}
