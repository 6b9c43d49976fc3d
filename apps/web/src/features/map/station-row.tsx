import { useLanguage, useText } from '../../i18n/use-text.ts';
import { formatNumber } from '../../ui/format/number-format.ts';
import type { MapStationRow } from './atlas/atlas.ts';
import { lookText, MarkerIcon } from './drawing/marker-icon.tsx';

interface StationRowButtonProps {
  row: MapStationRow;
  /** The searched text, highlighted in the row. */
  match?: string;
  /** Shown only for the distance from the device; the distance from the map's centre would be confusing. */
  showsDistance?: boolean;
  onPress: () => void;
}

/** A station in a list; pressing it is the same as pressing its marker. */
export function StationRowButton({ row, match = '', showsDistance = false, onPress }: StationRowButtonProps) {
  const text = useText();
  const language = useLanguage();
  const { station, look, km } = row;
  const address = language === 'uk' ? station.address_uk : station.address;
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
        {showsDistance && (
          <span className="tabular shrink-0 text-note font-bold">
            {text('map:km', { km: formatNumber(km, { least: 1, most: 1 }, language) })}
          </span>
        )}
      </button>
    </li>
  );
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
