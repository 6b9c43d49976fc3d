import type { OpeningHours, StationPage } from '@fpay/contract/stations';
import Clock from 'lucide-react/icons/clock';
import Info from 'lucide-react/icons/info';
import Wrench from 'lucide-react/icons/wrench';
import { useText } from '../../../i18n/use-text.ts';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { StationPhotos } from './station-photos.tsx';

/** Notes of staff about a station: work that goes on, opening hours, how to find the charger, and its photos. */
export function StationNotes({
  station,
}: {
  station: Pick<StationPage, 'number' | 'note' | 'opening_hours' | 'maintenance' | 'connectors' | 'photos'>;
}) {
  const text = useText();
  const { note, opening_hours: hours, maintenance, connectors } = station;
  const day = (times: OpeningHours['weekdays']) => (times ? `${times.from}–${times.to}` : text('station:hoursClosed'));
  const numberOf = (id: number) => connectors.find((connector) => connector.id === id)?.api_address ?? '';
  return (
    <>
      {maintenance.map((work) => (
        <p
          key={`${work.connector_id}/${work.starts_at}`}
          className="flex gap-3 rounded-card bg-occupied-tint p-4 text-note text-occupied"
        >
          <Wrench aria-hidden="true" size={20} className="shrink-0" />
          <span>
            <strong className="block">
              {work.connector_id === null
                ? text('station:workStation')
                : text('station:workConnector', { number: numberOf(work.connector_id) })}
            </strong>
            {work.reason}
            {work.ends_at && (
              <>
                {' · '}
                {text('station:workUntil')} <DateTime instant={work.ends_at} />
              </>
            )}
          </span>
        </p>
      ))}
      {(note || hours) && (
        <div className="flex flex-col gap-1.5 rounded-card bg-surface-2 p-4 text-note">
          {note && (
            <p className="flex gap-3">
              <Info aria-hidden="true" size={20} className="shrink-0 text-ink-2" />
              <span className="min-w-0 break-words">{note}</span>
            </p>
          )}
          {hours && (
            <p className="flex gap-3">
              <Clock aria-hidden="true" size={20} className="shrink-0 text-ink-2" />
              {text('station:hoursWeekdays', { hours: day(hours.weekdays) })}
              {' · '}
              {text('station:hoursWeekend', { hours: day(hours.weekend) })}
            </p>
          )}
        </div>
      )}
      {station.photos.length > 0 && <StationPhotos station={station} />}
    </>
  );
}
