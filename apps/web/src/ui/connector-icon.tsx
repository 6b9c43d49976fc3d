import { type ConnectorType, connectorTypes } from '@fpay/contract/connectors';
import { useText } from '../i18n/use-text.ts';
import { connectorFaces } from './connector-faces.ts';

interface ConnectorIconProps {
  type: ConnectorType;
  /** The connector has its own cable; without one the driver brings theirs. */
  withCable?: boolean;
  /** CSS px; below 20 the pins run together. */
  size?: number;
}

/** A plug in the colour of the text around it, so that a status colours it. */
export function ConnectorIcon({ type, withCable = false, size = 24 }: ConnectorIconProps) {
  const text = useText();
  const { name } = connectorTypes[type];
  const { cableFrom } = connectorFaces[type];
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
            <PlugFace type={type} />
          </g>
          <path d={`M${cableFrom.join(' ')}V20a2.6 2.6 0 0 0 2.6 2.6H18.8a3 3 0 0 0 3-3V4`} />
        </>
      ) : (
        <PlugFace type={type} />
      )}
    </svg>
  );
}

function PlugFace({ type }: { type: ConnectorType }) {
  const { outline, pins, hasRings = false } = connectorFaces[type];
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
