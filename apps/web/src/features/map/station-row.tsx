import { addressFor } from '@fpay/contract/languages';
import type { Language } from '@fpay/contract/person';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { formatNumber } from '../../ui/format/number-format.ts';
import { classNames } from '../../ui/hooks/class-names.ts';
import type { MapStationRow } from './atlas/atlas.ts';
import { lookText, MarkerIcon } from './drawing/marker-icon.tsx';

interface StationRowButtonProps {
  row: MapStationRow;
  /** The searched text, highlighted in the row. */
  match?: string;
  onPress: () => void;
}

/** A station in a list; pressing it is the same as pressing its marker. */
export function StationRowButton({ row, match = '', onPress }: StationRowButtonProps) {
  const text = useText();
  const language = useLanguage();
  const { station, look, km } = row;
  const address = addressFor(station, language);
  return (
    <li>
      <button
        type="button"
        onClick={onPress}
        className="flex min-h-17 w-full items-center gap-3 px-4 py-3 text-left -outline-offset-3 active:bg-surface-2"
      >
        <MarkerIcon look={look} isDecoration />
        <span className="min-w-0 flex-1">
          <span className="block text-card font-extrabold">
            <Marked text={station.number} match={match} />
          </span>
          <span className="block text-note text-ink-2">
            <Marked text={address} match={match} />
          </span>
          <span className="sr-only">{text(lookText(look))}</span>
        </span>
        <span className="shrink-0 text-right">
          <span className="tabular block text-note font-bold">{distanceText(km, text, language)}</span>
          <StationState station={station} />
        </span>
      </button>
    </li>
  );
}

/** Free connectors in words; a dead station says so. */
function StationState({ station }: Pick<MapStationRow, 'station'>) {
  const text = useText();
  const { is_online, connectors } = station;
  const free = is_online ? connectors.filter(({ status }) => status === 'free').length : 0;
  const isDead = !is_online || connectors.every(({ status }) => status === 'oos' || status === 'unknown');
  const [words, colour] = isDead
    ? [text('map:offlineState'), 'text-offline']
    : free > 0
      ? [text('map:freeCount', { count: free }), 'text-free']
      : [text('map:busyState'), 'text-occupied'];
  return <span className={classNames('block text-small font-bold', colour)}>{words}</span>;
}

/** Metres below a kilometre, then kilometres with one digit. */
export function distanceText(km: number, text: ReturnType<typeof useText>, language: Language): string {
  if (km < 0.995) return text('map:m', { m: String(Math.max(10, Math.round(km * 100) * 10)) });
  return text('map:km', { km: formatNumber(km, { least: km < 100 ? 1 : 0, most: km < 100 ? 1 : 0 }, language) });
}

function Marked({ text, match }: { text: string; match: string }) {
  const at = match === '' ? -1 : text.toLowerCase().indexOf(match.toLowerCase());
  if (at < 0) return text;
  const end = at + match.length;
  return (
    <>
      {text.slice(0, at)}
      <mark className="rounded-[4px] bg-accent px-px text-on-accent">{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  );
}
