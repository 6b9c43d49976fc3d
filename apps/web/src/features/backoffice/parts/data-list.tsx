/** Names and values of a record, as the wire has them: staff compare them with logs. */
export function DataList({ rows }: { rows: readonly (readonly [name: string, value: string | number | null])[] }) {
  return (
    <dl className="divide-y divide-line">
      {rows.map(([name, value]) => (
        <div key={name} className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 py-1">
          <dt className="font-mono text-small text-ink-2">{name}</dt>
          <dd
            className={
              value === null || value === '' ? 'text-note text-ink-3' : 'tabular min-w-0 text-note font-bold break-all'
            }
          >
            {value === null || value === '' ? 'MISSING' : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A missing date as the specification has it. */
export const noDate = '0000-00-00 00:00';
