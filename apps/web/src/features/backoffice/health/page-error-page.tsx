import { readPageError } from '@fpay/contract/page-errors';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { Loaded } from '../../../data/loaded.tsx';
import { useText } from '../../../i18n/use-text.ts';
import { Link, useParams } from '../../../router/index.ts';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { FactRow } from '../../../ui/layout/fact-row.tsx';
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
  const found = useQuery(reportQuery(code));
  return (
    <StaffPage title={text('adminHealth:pageError')} subtitle={`${code.slice(0, 4)}-${code.slice(4)}`} back="/admin">
      <Loaded query={found}>
        {(data) => (
          <section className="rounded-card bg-surface p-4 shadow-card">
            <dl className="divide-y divide-line text-note *:py-2">
              <FactRow name={text('adminHealth:pageErrorMessage')}>{data.message}</FactRow>
              <FactRow name={text('adminHealth:pageErrorPage')}>{data.path}</FactRow>
              <FactRow name={text('adminHealth:pageErrorAt')}>
                <DateTime instant={data.created_at} />
              </FactRow>
              <FactRow name={text('adminHealth:pageErrorUser')}>
                {data.user ? (
                  <Link className="underline" to={`/admin/users/${data.user.id}`}>
                    {data.user.name}
                  </Link>
                ) : (
                  text('adminHealth:pageErrorVisitor')
                )}
              </FactRow>
              <FactRow name={text('adminHealth:pageErrorVersion')}>{data.version}</FactRow>
              <FactRow name={text('adminHealth:pageErrorBrowser')}>{data.browser}</FactRow>
            </dl>
            <h2 className="mt-4 text-note text-ink-2">{text('adminHealth:pageErrorStack')}</h2>
            <pre className="mt-1 font-mono text-small break-words whitespace-pre-wrap">{data.stack || '—'}</pre>
          </section>
        )}
      </Loaded>
    </StaffPage>
  );
}
