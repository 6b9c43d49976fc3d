import { useState } from 'react';

/** An entry of the list with a key of its own, because a new one has no id yet. */
export type Keyed<Entry> = Entry & { key: number };

let lastKey = 0;
const keyed = <Entry extends object>(entry: Entry): Keyed<Entry> => ({ ...entry, key: ++lastKey });

/** A list that is edited as a whole: entries are changed, added, moved and removed, and saved together. */
export function useEntries<Entry extends object>(start: readonly Entry[], empty: Entry) {
  const [entries, setEntries] = useState(() => start.map(keyed));
  const [hasChanges, setHasChanges] = useState(false);

  function edit(next: Keyed<Entry>[]): void {
    setEntries(next);
    setHasChanges(true);
  }
  return {
    entries,
    hasChanges,
    add: () => edit([...entries, keyed(empty)]),
    remove: (key: number) => edit(entries.filter((entry) => entry.key !== key)),
    change: (key: number, values: Partial<Entry>) =>
      edit(entries.map((entry) => (entry.key === key ? { ...entry, ...values } : entry))),
    move(key: number, by: 1 | -1): void {
      const at = entries.findIndex((entry) => entry.key === key);
      const [entry] = entries.slice(at, at + 1);
      if (entry) edit(entries.toSpliced(at, 1).toSpliced(at + by, 0, entry));
    },
    /** What the server has stored. */
    reset(stored: readonly Entry[]): void {
      setEntries(stored.map(keyed));
      setHasChanges(false);
    },
  };
}
