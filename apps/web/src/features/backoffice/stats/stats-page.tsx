import { exportStats } from '@fpay/contract/admin/export';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import MapPin from 'lucide-react/icons/map-pin';
import Zap from 'lucide-react/icons/zap';
import { type FormEvent, useEffect, useState } from 'react';
import { addressOf } from '../../../api/address.ts';
import { showError } from '../../../data/action.ts';
import { Loaded } from '../../../data/loaded.tsx';
import { useText } from '../../../i18n/use-text.ts';
import { useSearchParams } from '../../../router/index.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { RefreshButton } from '../../../ui/form/refresh-button.tsx';
import { Switch } from '../../../ui/form/switch.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Skeleton } from '../../../ui/layout/skeleton.tsx';
import { StaffClock } from '../parts/clock.tsx';
import { PeriodChooser } from '../parts/period-chooser.tsx';
import { StaffPage } from '../shell/staff-page.tsx';
import { readStats, type StatsAddress, statsQueryOf, writeStats } from './address.ts';
import { ChartCards } from './chart-cards.tsx';
import { FigureCards } from './figure-cards.tsx';
import { staffStatsQueries } from './queries.ts';

/** The figures of a period for one station or for all. The address has the question, so that a link gives the answer. */
export function Page() {
  const text = useText();
  const queryClient = useQueryClient();
  const [params, setParams] = useSearchParams();
  const address = readStats(params);
  const query = statsQueryOf(address) ?? { period: 'today' as const, tz: 'Europe/Kyiv', with_temp: 'true' as const };
  const figures = useQuery(staffStatsQueries.figures(query));
  const charts = useQuery(staffStatsQueries.charts(query));
  const { error } = figures;
  useEffect(() => {
    if (error) showError(error);
  }, [error]);
  const show = (next: StatsAddress) => setParams(writeStats(next), { preventScrollReset: true });
  const { url } = addressOf(exportStats, { query });
  return (
    <StaffPage
      title={text('admin:stats')}
      subtitle={<StaffClock />}
      back="/admin"
      actions={
        <RefreshButton
          onRefresh={() => void queryClient.invalidateQueries({ queryKey: staffStatsQueries.all })}
          fetchedAt={figures.dataUpdatedAt}
        />
      }
    >
      <Question key={params.toString()} address={address} onAsk={show} exportUrl={url} />
      <Loaded query={figures} waiting={<Skeleton className="h-96 rounded-card" />}>
        {(data) => (
          <>
            <FigureCards stats={data} before={charts.data?.before} />
            {charts.data ? <ChartCards charts={charts.data} /> : <Skeleton className="h-64 rounded-card" />}
          </>
        )}
      </Loaded>
    </StaffPage>
  );
}

interface QuestionProps {
  address: StatsAddress;
  onAsk: (address: StatsAddress) => void;
  exportUrl: string;
}

/** Which station and which period. */
function Question({ address, onAsk, exportUrl }: QuestionProps) {
  const text = useText();
  const [station, setStation] = useState(address.station ?? '');
  const [choice, setChoice] = useState(address);
  const asked = { ...choice, station: station.trim().toUpperCase() || null };
  function lookUp(event: FormEvent) {
    event.preventDefault();
    onAsk({ ...asked, station: asked.station });
  }
  return (
    <Card className="flex flex-col gap-3">
      <form onSubmit={lookUp} className="flex flex-wrap items-end gap-2">
        <div className="w-full lg:w-auto lg:flex-1">
          <Field
            label={text('admin:station')}
            placeholder={text('adminStats:allStations')}
            icon={<MapPin aria-hidden="true" size={20} />}
            value={station}
            onChange={({ target }) => setStation(target.value)}
          />
        </div>
        {/* Without a station there is nothing to look up: the figures are of all stations already. */}
        <Button
          className="flex-1 lg:flex-none"
          type="submit"
          kind="main"
          disabled={asked.station === null && address.station === null}
        >
          {text('adminStats:show')}
        </Button>
        <Button
          className="order-last w-full lg:order-none lg:w-auto"
          icon={<Zap aria-hidden="true" size={20} />}
          onPress={() => onAsk({ ...asked, station: null, period: 'today' })}
        >
          {text('adminStats:quickCheck')}
        </Button>
        <Button className="flex-1 lg:flex-none" href={exportUrl} icon={<Download aria-hidden="true" size={20} />}>
          CSV
        </Button>
      </form>
      <PeriodChooser
        choice={choice}
        onPeriod={(period) => {
          if (period === 'manual') setChoice({ ...choice, period });
          else onAsk({ ...asked, period });
        }}
        onRange={(range) => setChoice({ ...choice, ...range })}
        onGo={() => onAsk(asked)}
      />
      <Switch
        label={text('adminStats:withTemporary')}
        checked={address.withTemporary}
        onChange={(withTemporary) => onAsk({ ...asked, withTemporary })}
      />
    </Card>
  );
}
