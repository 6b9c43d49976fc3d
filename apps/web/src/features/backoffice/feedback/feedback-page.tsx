import { exportFeedback } from '@fpay/contract/admin/export';
import type { AdminFeedback, adminFeedback } from '@fpay/contract/admin/feedback';
import type { ReplyOf } from '@fpay/contract/endpoint';
import { useQuery } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import Star from 'lucide-react/icons/star';
import { type ReactNode, useState } from 'react';
import { addressOf } from '../../../api/address.ts';
import { Loaded } from '../../../data/loaded.tsx';
import { useText } from '../../../i18n/use-text.ts';
import { useSearchParams } from '../../../router/index.ts';
import { Button } from '../../../ui/form/button.tsx';
import { IconButton } from '../../../ui/form/icon-button.tsx';
import type { PressTarget } from '../../../ui/form/pressable.tsx';
import { RefreshButton } from '../../../ui/form/refresh-button.tsx';
import { Switch } from '../../../ui/form/switch.tsx';
import { useWide } from '../../../ui/hooks/use-wide.ts';
import { Paginator } from '../../../ui/layout/paginator.tsx';
import { moveRow, useKeys } from '../parts/use-keys.ts';
import { useMay } from '../parts/use-may.ts';
import { StaffPage } from '../shell/staff-page.tsx';
import { DetailPopup } from './detail-popup.tsx';
import { FeedbackFiltersForm } from './feedback-filters.tsx';
import { FeedbackRows } from './feedback-rows.tsx';
import {
  allFeedback,
  type FeedbackAddress,
  feedbackFilterCount,
  feedbackFiltersOf,
  readFeedback,
  writeFeedback,
} from './filters.ts';
import { feedbackQueries } from './queries.ts';
import { StationPopup } from './station-popup.tsx';

/** What drivers said, page by page. The address has the filters, the sort and the page. */
export function Page() {
  const text = useText();
  const seesRatings = useMay('see-stats');
  const [params, setParams] = useSearchParams();
  const address = readFeedback(params);
  const found = useQuery(feedbackQueries.page(address));
  const { data, refetch, dataUpdatedAt } = found;
  // Filters of one's own count only once they are enabled; a link with filters has them enabled.
  const [isFiltering, setFiltering] = useState(feedbackFilterCount(address) > 0);
  const [opened, setOpened] = useState<AdminFeedback | null>(null);
  const [rated, setRated] = useState<{ station: string | null } | null>(null);
  const show = (next: FeedbackAddress) => setParams(writeFeedback(next), { preventScrollReset: true });
  useKeys({ KeyJ: () => moveRow(1), KeyK: () => moveRow(-1), KeyR: () => void refetch() });
  function enable(isEnabled: boolean) {
    setFiltering(isEnabled);
    if (!isEnabled && feedbackFilterCount(address) > 0) show({ ...allFeedback, sort: address.sort });
  }
  return (
    <StaffPage
      title={text('admin:feedback')}
      subtitle={data && text('adminFeedback:ratings', { count: data.total_count })}
      back="/admin"
      actions={<RefreshButton onRefresh={() => void refetch()} fetchedAt={dataUpdatedAt} />}
    >
      <FeedbackTools
        address={address}
        isFiltering={isFiltering}
        onFiltering={enable}
        onRatings={seesRatings ? () => setRated({ station: address.station }) : null}
      />
      {isFiltering && <FeedbackFiltersForm key={params.toString()} address={address} onGo={show} />}
      <Loaded query={found} rows={8}>
        {(data) => <FeedbackPages page={data} address={address} onShow={show} onOpen={setOpened} />}
      </Loaded>
      {opened && (
        <DetailPopup
          entry={opened}
          onClose={() => setOpened(null)}
          onStation={
            seesRatings
              ? () => {
                  setOpened(null);
                  setRated({ station: opened.charging_station });
                }
              : null
          }
        />
      )}
      {rated && <StationPopup station={rated.station} onClose={() => setRated(null)} />}
    </StaffPage>
  );
}

interface FeedbackPagesProps {
  page: ReplyOf<typeof adminFeedback>;
  address: FeedbackAddress;
  onShow: (address: FeedbackAddress) => void;
  onOpen: (entry: AdminFeedback) => void;
}

function FeedbackPages({ page: { data, total_count, page_count }, address, onShow, onOpen }: FeedbackPagesProps) {
  return (
    <>
      <FeedbackRows
        rows={data}
        total={total_count}
        sort={address.sort}
        onSort={(sort) => onShow({ ...address, sort, page: 1 })}
        onOpen={onOpen}
      />
      {page_count > 1 && (
        <Paginator
          page={Math.min(address.page, page_count)}
          pageCount={page_count}
          onChange={(page) => {
            onShow({ ...address, page });
            scrollTo(0, 0);
          }}
        />
      )}
    </>
  );
}

interface FeedbackToolsProps {
  address: FeedbackAddress;
  isFiltering: boolean;
  onFiltering: (isFiltering: boolean) => void;
  /** Null without the permission. */
  onRatings: (() => void) | null;
}

function FeedbackTools({ address, isFiltering, onFiltering, onRatings }: FeedbackToolsProps) {
  const text = useText();
  const { url } = addressOf(exportFeedback, { query: { ...feedbackFiltersOf(address) } });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="min-w-36 flex-1 rounded-control bg-surface px-4 shadow-card lg:flex-none">
        <Switch label={text('admin:ownFilters')} checked={isFiltering} onChange={onFiltering} />
      </div>
      <span className="hidden flex-1 lg:block" />
      {onRatings && (
        <Tool
          label={text('adminFeedback:stationRatings')}
          icon={<Star aria-hidden="true" size={20} />}
          onPress={onRatings}
        />
      )}
      <Tool label="CSV" icon={<Download aria-hidden="true" size={20} />} href={url} />
    </div>
  );
}

/** Only its icon on a phone, where the row is narrow. */
function Tool({ label, icon, ...target }: PressTarget & { label: string; icon: ReactNode }) {
  const isWide = useWide();
  if (!isWide) return <IconButton look="filled" label={label} icon={icon} {...target} />;
  return (
    <Button size="s" icon={icon} {...target}>
      {label}
    </Button>
  );
}
