import { useQuery } from '@tanstack/react-query';
import { NetworkError } from '../../api/errors.ts';
import { useText } from '../../i18n/use-text.ts';
import { LoadFailure } from '../../ui/layout/load-failure.tsx';
import { PageTitle } from '../../ui/layout/page-title.tsx';
import { SkeletonList } from '../../ui/layout/skeleton.tsx';
import { MemberView } from './member-view.tsx';
import { OwnerView } from './owner-view.tsx';
import { partyQueries } from './queries.ts';

/** The driver's party: everything for its owner, the stations for a member. */
export function Page() {
  const text = useText();
  const { data, error, isFetching, dataUpdatedAt, refetch } = useQuery(partyQueries.data());
  if (data) {
    const refresh = { fetchedAt: dataUpdatedAt, onRefresh: () => void refetch() };
    return data.is_owner ? <OwnerView party={data} refresh={refresh} /> : <MemberView party={data} refresh={refresh} />;
  }
  if (error)
    return (
      <>
        <div className="px-4 pt-1">
          <PageTitle back="/account">{text('party:title')}</PageTitle>
        </div>
        <LoadFailure
          level={2}
          title={text('party:notRead')}
          isOffline={error instanceof NetworkError}
          isTrying={isFetching}
          onTry={() => void refetch()}
        />
      </>
    );
  return (
    <div className="px-4 pt-1">
      <PageTitle back="/account">{text('party:title')}</PageTitle>
      <SkeletonList rows={4} />
    </div>
  );
}
