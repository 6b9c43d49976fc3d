import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import type { MarkerKind, MarkerLook } from '../atlas/marker-look.ts';
import { markerBox, markerShapes } from './marker-shapes.ts';

/** A marker as on the map, for lists and the legend. */
export function MarkerIcon({ look, isDecoration = false }: { look: MarkerLook; isDecoration?: boolean }) {
  const text = useText();
  const { x, y, width, height } = markerBox;
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it is a picture with a name, or hidden where words stand beside it.
    <svg
      {...(isDecoration ? { 'aria-hidden': true } : { role: 'img', 'aria-label': text(lookText(look)) })}
      viewBox={`${x} ${y} ${width} ${height}`}
      width={36}
      height={41}
      strokeLinecap="round"
      className="shrink-0"
    >
      {markerShapes(look).map(({ path, fill = 'none', stroke, width: strokeWidth, move }) => (
        <path
          key={path}
          d={path}
          fill={fill}
          {...(stroke && { stroke, strokeWidth })}
          {...(move && { transform: `translate(${move.join(' ')})` })}
        />
      ))}
    </svg>
  );
}

const promotionText = {
  discount: 'map:lookDiscount',
  sun: 'map:lookSun',
  event: 'map:lookEvent',
} as const satisfies Partial<Record<MarkerKind, TextKey>>;

/** The text for a marker: the promotion if there is one, otherwise the availability. */
export function lookText({ kind, state, isFree }: MarkerLook): TextKey {
  if (kind !== 'plain' && kind !== 'hub') return promotionText[kind];
  if (state === 'inactive') return 'map:lookInactive';
  if (state === 'half') return 'map:lookHalf';
  return isFree ? 'map:lookFree' : 'map:lookBusy';
}
