import { type ConnectorType, connectorTypes } from '@fpay/contract/connectors';
import { useText } from '../../i18n/use-text.ts';
import { connectorOutlines } from './connector-outlines.ts';

interface ConnectorIconProps {
  type: ConnectorType;
  /** The connector has its own cable; otherwise the driver brings one. */
  withCable?: boolean;
  /** CSS px; below 20 the pins merge. */
  size?: number;
}

/** A connector in the colour of the surrounding text, so that a status colours it. */
export function ConnectorIcon({ type, withCable = false, size = 24 }: ConnectorIconProps) {
  const text = useText();
  const { name } = connectorTypes[type];
  const { cableFrom } = connectorOutlines[type];
  return (
    <svg
      role="img"
      aria-label={withCable ? text('generic:withCable', { connector: name }) : name}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {withCable ? (
        <>
          <g transform="translate(.1 .1) scale(.76)" strokeWidth={1.9}>
            <PlugOutline type={type} />
          </g>
          <path d={`M${cableFrom.join(' ')}V20a2.6 2.6 0 0 0 2.6 2.6H18.8a3 3 0 0 0 3-3V4`} />
        </>
      ) : (
        <PlugOutline type={type} />
      )}
    </svg>
  );
}

function PlugOutline({ type }: { type: ConnectorType }) {
  const { outline, pins, hasRings = false } = connectorOutlines[type];
  return (
    <>
      <path d={outline} />
      <g {...(hasRings ? { strokeWidth: 1.25 } : { fill: 'currentColor', stroke: 'none' })}>
        {pins.map(([x, y, r]) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r={r} />
        ))}
      </g>
    </>
  );
}
