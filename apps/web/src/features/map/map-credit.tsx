import { useLanguage, useText } from '../../i18n/use-text.ts';
import { formatNumber } from '../../ui/format/number-format.ts';
import type { BaseMapState, View } from './canvas/station-map.ts';
import { scaleOf } from './scale.ts';

/** The terms of these projects require a link. */
const pages: Record<string, string> = {
  OpenFreeMap: 'https://openfreemap.org',
  OpenMapTiles: 'https://www.openmaptiles.org',
  OpenStreetMap: 'https://www.openstreetmap.org/copyright',
};
const linked = new RegExp(`(${Object.keys(pages).join('|')})`);

/** The scale of the map and whose map it is; a quiet line when the streets could not be loaded. */
export function MapCredit({
  state: { attribution, hasLostStreets },
  view,
}: {
  state: BaseMapState;
  view: View | null;
}) {
  const text = useText();
  return (
    <div className="flex min-w-0 flex-col items-start gap-1.5">
      {view && <ScaleBar view={view} />}
      <p role="status" className="rounded-badge bg-surface/85 px-2 py-0.5 text-small text-ink-2 empty:hidden">
        {hasLostStreets ? text('map:noStreets') : null}
      </p>
      {attribution !== '' && (
        <p className="rounded-badge bg-surface/80 px-2 py-0.5 text-small text-ink-2">
          {attribution.split(linked).map((part) =>
            pages[part] ? (
              <a key={part} href={pages[part]} target="_blank" rel="noreferrer" className="text-ink-2">
                {part}
              </a>
            ) : (
              part
            ),
          )}
        </p>
      )}
    </div>
  );
}

function ScaleBar({ view }: { view: View }) {
  const text = useText();
  const language = useLanguage();
  const { metres, widthPx } = scaleOf(view);
  const number = (value: number) => formatNumber(value, { least: 0, most: 1 }, language);
  const length = metres >= 1000 ? text('map:km', { km: number(metres / 1000) }) : text('map:m', { m: number(metres) });
  return (
    <p className="pointer-events-none! flex items-end gap-2 text-small font-bold text-ink">
      <span aria-hidden="true" className="block h-2 border-2 border-t-0 border-ink/75" style={{ width: widthPx }} />
      <span className="leading-none [text-shadow:0_0_3px_var(--surface),0_0_3px_var(--surface)]">{length}</span>
    </p>
  );
}
