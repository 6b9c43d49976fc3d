import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../data/loaded.tsx';
import { useText } from '../../i18n/use-text.ts';
import { PageTitle } from '../../ui/layout/page-title.tsx';
import { SkeletonList } from '../../ui/layout/skeleton.tsx';
import { MemberView } from './member-view.tsx';
import { OwnerView } from './owner-view.tsx';
import { partyQueries } from './queries.ts';

/** The driver's party: everything for its owner, the stations for a member. */
export function Page() {
  const text = useText();
  const found = useQuery(partyQueries.data());
  const { data, dataUpdatedAt, refetch } = found;
  if (data) {
    const refresh = { fetchedAt: dataUpdatedAt, onRefresh: () => void refetch() };
    return data.is_owner ? <OwnerView party={data} refresh={refresh} /> : <MemberView party={data} refresh={refresh} />;
  }
  return (
    <>
      <div className="px-4 pt-1">
        <PageTitle back="/account">{text('party:title')}</PageTitle>
      </div>
      <Loaded
        query={found}
        failure={text('party:notRead')}
        waiting={
          <div className="px-4">
            <SkeletonList rows={4} />
          </div>
        }
      />
    </>
  );
}
