import { readPageError } from '@fpay/contract/page-errors';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../../../api/call.ts';
import { NetworkError } from '../../../api/errors.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Link, useParams } from '../../../router/index.ts';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { LoadFailure } from '../../../ui/layout/load-failure.tsx';
import { SkeletonList } from '../../../ui/layout/skeleton.tsx';
import { StaffPage } from '../shell/staff-page.tsx';

const reportQuery = (code: string) =>
  queryOptions({
    queryKey: ['backoffice', 'page-error', code],
    queryFn: ({ signal }) => call(readPageError, { params: { code }, signal }),
  });

/** An error of the web app that a user saw, found by its code. */
export function Page() {
  const text = useText();
  const { code = '' } = useParams();
  const { data, error, isFetching, refetch } = useQuery(reportQuery(code));
  return (
    <StaffPage title={text('admin:pageError')} subtitle={`${code.slice(0, 4)}-${code.slice(4)}`} back="/admin">
      {data && (
        <section className="rounded-card bg-surface p-4 shadow-card">
          <dl className="divide-y divide-line">
            <Fact name={text('admin:pageErrorMessage')}>{data.message}</Fact>
            <Fact name={text('admin:pageErrorPage')}>{data.path}</Fact>
            <Fact name={text('admin:pageErrorAt')}>
              <DateTime instant={data.created_at} />
            </Fact>
            <Fact name={text('admin:pageErrorUser')}>
              {data.user ? (
                <Link className="underline" to={`/admin/users/${data.user.id}`}>
                  {data.user.name}
                </Link>
              ) : (
                text('admin:pageErrorVisitor')
              )}
            </Fact>
            <Fact name={text('admin:pageErrorVersion')}>{data.version}</Fact>
            <Fact name={text('admin:pageErrorBrowser')}>{data.browser}</Fact>
          </dl>
          <h2 className="mt-4 text-note text-ink-2">{text('admin:pageErrorStack')}</h2>
          <pre className="mt-1 font-mono text-small break-words whitespace-pre-wrap">{data.stack || '—'}</pre>
        </section>
      )}
      {!data && error && (
        <LoadFailure
          level={2}
          isOffline={error instanceof NetworkError}
          isTrying={isFetching}
          onTry={() => void refetch()}
        />
      )}
      {!data && !error && <SkeletonList rows={6} />}
    </StaffPage>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-6 gap-y-0.5 py-2">
      <dt className="text-note text-ink-2">{name}</dt>
      <dd className="min-w-0 text-note font-bold break-words">{children}</dd>
    </div>
  );
}
