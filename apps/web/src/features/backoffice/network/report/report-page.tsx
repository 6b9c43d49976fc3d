import { stationReport } from '@fpay/contract/admin/network/station-report';
import { addressFor } from '@fpay/contract/languages';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../../../api/call.ts';
import { Loaded } from '../../../../data/loaded.tsx';
import { useLanguage, useText } from '../../../../i18n/use-text.ts';
import { useParams, useSearchParams } from '../../../../router/index.ts';
import { ChoiceChips } from '../../parts/choice-chips.tsx';
import { StaffPage } from '../../shell/staff-page.tsx';
import { ReportCharts } from './report-charts.tsx';
import { ReportFigureCards } from './report-figure-cards.tsx';
import { type ReportPeriod, reportDays, reportPeriods } from './report-period.ts';
import { ReportStarts } from './report-starts.tsx';

const reportQuery = (number: string, query: { from: string; to: string }) =>
  queryOptions({
    queryKey: ['backoffice', 'stationReport', number, query],
    queryFn: ({ signal }) => call(stationReport, { params: { number }, query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

const periodTexts = {
  week: 'networkReport:periodWeek',
  fortnight: 'networkReport:periodFortnight',
  month: 'networkReport:periodMonth',
  lastMonth: 'networkReport:periodLastMonth',
} as const;

/** The figures of one station in a period. */
export function Page() {
  const text = useText();
  const language = useLanguage();
  const [params, setParams] = useSearchParams();
  const number = String(useParams().station).toUpperCase();
  const period = reportPeriods.find((one) => one === params.get('period')) ?? 'fortnight';
  const found = useQuery(reportQuery(number, reportDays(period, Date.now())));
  const { data } = found;
  return (
    <StaffPage
      title={text('networkReport:reportOf', { number })}
      subtitle={data && addressFor(data, language)}
      back="/admin/network"
    >
      <ChoiceChips<ReportPeriod>
        legend={text('networkReport:period')}
        value={period}
        onChange={(chosen) => setParams({ period: chosen }, { replace: true })}
        choices={reportPeriods.map((value) => ({ value, label: text(periodTexts[value]) }))}
      />
      <Loaded query={found} notFound={text('networkReport:noSuchStation')}>
        {(data) => (
          <>
            <ReportFigureCards figures={data.figures} before={data.before} />
            <ReportCharts days={data.days} hours={data.hours} />
            <ReportStarts report={data} />
          </>
        )}
      </Loaded>
    </StaffPage>
  );
}
