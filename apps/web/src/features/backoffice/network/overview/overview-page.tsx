import { type NetworkProblem, networkOverview, networkProblemKinds } from '@fpay/contract/admin/network/overview';
import { queryOptions, useQuery } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useState } from 'react';
import { call } from '../../../../api/call.ts';
import { Loaded } from '../../../../data/loaded.tsx';
import { useText } from '../../../../i18n/use-text.ts';
import { RefreshButton } from '../../../../ui/form/refresh-button.tsx';
import { useNow } from '../../../../ui/hooks/use-now.ts';
import { List, ListItem } from '../../../../ui/layout/list.tsx';
import { ChoiceChips } from '../../parts/choice-chips.tsx';
import { pollMs } from '../../queries.ts';
import { StaffPage } from '../../shell/staff-page.tsx';
import { ProblemMap } from './problem-map.tsx';
import { type ProblemKind, problemAge, problemText, problemViews } from './problem-view.ts';
import { SuccessCard } from './success-card.tsx';

const overviewQuery = queryOptions({
  queryKey: ['backoffice', 'network', 'overview'],
  queryFn: ({ signal }) => call(networkOverview, { signal }),
  staleTime: 0,
  refetchInterval: pollMs,
});

/** What does not work in the network now, and how charges begin. */
export function Page() {
  const text = useText();
  const now = useNow(30_000);
  const [kind, setKind] = useState<ProblemKind | 'all'>('all');
  const found = useQuery(overviewQuery);
  const { data, refetch, dataUpdatedAt } = found;
  const problems = data?.problems.filter((problem) => kind === 'all' || problem.kind === kind) ?? [];
  return (
    <StaffPage
      title={text('admin:overview')}
      subtitle={
        data &&
        `${text('networkOverview:stationCount', { count: data.stations })} · ${text('network:connectorCount', { count: data.connectors })}`
      }
      back="/admin"
      actions={<RefreshButton onRefresh={() => void refetch()} fetchedAt={dataUpdatedAt} />}
    >
      <Loaded query={found}>
        {(data) => (
          <div className="grid flex-1 gap-3 lg:grid-cols-[minmax(0,1fr)_25rem]">
            <div className="flex min-w-0 flex-col gap-3">
              <KindChips kind={kind} problems={data.problems} onKind={setKind} />
              <ProblemMap problems={problems} healthy={data.healthy} now={now} />
            </div>
            <div className="flex min-w-0 flex-col gap-3">
              <SuccessCard days={data.days} reasons={data.reasons} />
              <h2 className="px-1 text-label">{text('networkOverview:problemsNow')}</h2>
              <ProblemList problems={problems} isFiltered={data.problems.length > 0} now={now} />
            </div>
          </div>
        )}
      </Loaded>
    </StaffPage>
  );
}

interface KindChipsProps {
  kind: ProblemKind | 'all';
  problems: readonly NetworkProblem[];
  onKind: (kind: ProblemKind | 'all') => void;
}

/** Kinds of problems with the number of each. */
function KindChips({ kind, problems, onKind }: KindChipsProps) {
  const text = useText();
  const count = (wanted: ProblemKind) => problems.filter((problem) => problem.kind === wanted).length;
  return (
    <ChoiceChips
      legend={text('networkOverview:problemKind')}
      value={kind}
      onChange={onKind}
      choices={[
        { value: 'all', label: `${text('networkOverview:allProblems')} ${problems.length}` },
        ...networkProblemKinds.map((value) => ({
          value,
          label: `${text(problemViews[value].label)} ${count(value)}`,
        })),
      ]}
    />
  );
}

interface ProblemListProps {
  problems: readonly NetworkProblem[];
  /** There are problems of other kinds. */
  isFiltered: boolean;
  now: number;
}

function ProblemList({ problems, isFiltered, now }: ProblemListProps) {
  const text = useText();
  if (problems.length === 0)
    return (
      <p className="flex items-center gap-3 rounded-card bg-surface p-4 text-note shadow-card">
        <CircleCheck aria-hidden="true" size={22} className="text-free" />
        {text(isFiltered ? 'networkOverview:noProblemsText' : 'networkOverview:noProblems')}
      </p>
    );
  return (
    <List label={text('networkOverview:problemsNow')}>
      {problems.map((problem) => {
        const view = problemViews[problem.kind];
        const Icon = view.icon;
        return (
          <ListItem
            key={`${problem.kind} ${problem.charge_point} ${problem.connector} ${problem.operation}`}
            to={
              problem.operation === null
                ? `/admin/network/charge-points/${problem.charge_point}`
                : `/admin/operations/${problem.operation}`
            }
            icon={<Icon size={20} />}
            wellClassName={view.well}
            title={problem.station ?? problem.identity}
            subtitle={problemText(problem)}
            trailing={<span className="text-small whitespace-nowrap text-ink-2">{problemAge(problem.since, now)}</span>}
          />
        );
      })}
    </List>
  );
}
