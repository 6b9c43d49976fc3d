import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../../../data/loaded.tsx';
import { useText } from '../../../../i18n/use-text.ts';
import { useParams } from '../../../../router/index.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { StaffPage } from '../../shell/staff-page.tsx';
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
  return (
    <StaffPage title={isNew ? text('networkStations:newStation') : number} back="/admin/network/stations">
      <Loaded<unknown>
        query={failed ?? station}
        notFound={
          <>
            <p>{text('networkStations:unknownStation', { number })}</p>
            <Button to="/admin/network/stations">{text('networkStations:toStations')}</Button>
          </>
        }
      />
    </StaffPage>
  );
}
