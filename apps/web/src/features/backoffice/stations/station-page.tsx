import { useQuery } from '@tanstack/react-query';
import { ApiError, NetworkError } from '../../../api/errors.ts';
import { useText } from '../../../i18n/use-text.ts';
import { useParams } from '../../../router/index.ts';
import { Button } from '../../../ui/form/button.tsx';
import { LoadFailure } from '../../../ui/layout/load-failure.tsx';
import { SkeletonList } from '../../../ui/layout/skeleton.tsx';
import { StaffPage } from '../shell/staff-page.tsx';
import { networkStationQueries } from './queries.ts';
import { StationEditor } from './station-editor.tsx';

/** One station, or a new one at the address `new`. */
export function Page() {
  const text = useText();
  const { number = '' } = useParams();
  const isNew = number === 'new';
  const choices = useQuery(networkStationQueries.choices());
  const station = useQuery({ ...networkStationQueries.one(number), enabled: !isNew });
  const failed = [choices, ...(isNew ? [] : [station])].find(({ error, data }) => error && !data);
  if (choices.data && (isNew || station.data)) {
    return (
      <StationEditor
        // A station that was changed elsewhere keeps what is typed here until it is saved.
        key={isNew ? 'new' : `${number}/${station.data?.changed_at}`}
        station={station.data ?? null}
        choices={choices.data}
        onChanged={() => void Promise.all([choices.refetch(), ...(isNew ? [] : [station.refetch()])])}
      />
    );
  }
  const isMissing = failed?.error instanceof ApiError && failed.error.status === 404;
  return (
    <StaffPage title={isNew ? text('networkBuild:newStation') : number} back="/admin/network/stations">
      {isMissing ? (
        <div className="flex flex-col items-center gap-4 rounded-card bg-surface p-8 text-center shadow-card">
          <p className="text-body">{text('networkBuild:unknownStation', { number })}</p>
          <Button to="/admin/network/stations">{text('networkBuild:toStations')}</Button>
        </div>
      ) : failed ? (
        <LoadFailure
          level={2}
          isOffline={failed.error instanceof NetworkError}
          isTrying={failed.isFetching}
          onTry={() => void failed.refetch()}
        />
      ) : (
        <SkeletonList rows={6} />
      )}
    </StaffPage>
  );
}
