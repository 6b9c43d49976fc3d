import type { UseQueryResult } from '@tanstack/react-query';
import Search from 'lucide-react/icons/search';
import { type Ref, useState } from 'react';
import { ApiError } from '../../../api/errors.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Field } from '../../../ui/form/field.tsx';
import { Skeleton } from '../../../ui/layout/skeleton.tsx';

interface LogViewProps {
  log: Pick<UseQueryResult<string>, 'data' | 'error'>;
  search?: Ref<HTMLInputElement>;
}

/** A log that can be searched: only the lines with the text are shown. */
export function LogView({ log: { data, error }, search }: LogViewProps) {
  const text = useText();
  const [query, setQuery] = useState('');
  if (data === undefined && error)
    return (
      <p role="alert" className="font-mono text-note text-error">
        {/* The same in every language, because staff quote it to engineers. */}
        ERROR {error instanceof ApiError ? error.status : ''}
      </p>
    );
  if (data === undefined) return <Skeleton className="h-64" />;
  const lines = data.split('\n').filter((line) => line !== '');
  const found = lines.filter((line) => line.toLowerCase().includes(query.toLowerCase()));
  return (
    <div className="flex flex-col gap-3">
      <Field
        {...(search && { ref: search })}
        type="search"
        label={text('admin:searchLog')}
        icon={<Search aria-hidden="true" size={18} />}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        trailing={query !== '' && <span className="text-small text-ink-2">{found.length}</span>}
      />
      <section
        aria-label={text('admin:log')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it.
        tabIndex={0}
        className="max-h-128 overflow-auto rounded-control bg-surface-2 p-3 font-mono text-small"
      >
        {query !== '' && found.length === 0 ? (
          <p role="status">{`"${query}" Not Found`}</p>
        ) : (
          <ol>
            {found.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two lines of a log may be the same, and none moves.
              <li key={index} className="whitespace-pre-wrap">
                <Marked line={line} query={query} />
              </li>
            ))}
          </ol>
        )}
      </section>
    </div>
  );
}

function Marked({ line, query }: { line: string; query: string }) {
  const at = query === '' ? -1 : line.toLowerCase().indexOf(query.toLowerCase());
  if (at === -1) return line;
  return (
    <>
      {line.slice(0, at)}
      <mark className="rounded-badge bg-occupied-fill text-on-accent">{line.slice(at, at + query.length)}</mark>
      {line.slice(at + query.length)}
    </>
  );
}
