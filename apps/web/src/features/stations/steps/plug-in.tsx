import { connectorTypes } from '@fpay/contract/connectors';
import type { Connector } from '@fpay/contract/stations';
import Plug from 'lucide-react/icons/plug';
import { useEffect, useState } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Dock } from '../../../ui/layout/dock.tsx';
import { ConnectorIcon } from '../../../ui/picture/connector-icon.tsx';
import { ConnectorCard } from '../connector-card.tsx';

interface PlugInProps {
  connector: Connector;
  /** Continues with a free connector, because an adapter hides the plugged-in car. */
  onAdapter: () => void;
  onOther: () => void;
}

/** An adapter hides the car from the charger. A driver without one needs this long to plug in. */
const adapterDelayMs = 5000;

/** Between choosing and paying, because the charger has to detect the car first. */
export function PlugIn({ connector, onAdapter, onOther }: PlugInProps) {
  const text = useText();
  const offersAdapter = useAfter(adapterDelayMs) && connectorTypes[connector.type].adapter;
  return (
    <>
      <div className="px-4">
        <ConnectorCard connector={connector} isStationOnline index={0} isSelected onPress={onOther} />
      </div>
      <div className="flex flex-1 animate-step flex-col items-center justify-center px-4 py-8 text-center">
        <span className="relative grid size-33 place-items-center rounded-full bg-ready-tint text-ready">
          <span
            aria-hidden="true"
            className="absolute inset-3.5 animate-spin rounded-full border-3 border-current/20 border-t-ready-fill [animation-duration:2.4s]"
          />
          <ConnectorIcon type={connector.type} withCable={connector.has_cable} size={64} />
        </span>
        <div role="status">
          <h1 className="mt-5 text-h2">{text('payment:plugIn')}</h1>
        </div>
        <p className="mt-2 max-w-[20rem] text-body text-ink-2 text-pretty">{text('payment:plugInText')}</p>
      </div>
      <Dock>
        {offersAdapter && (
          <Button kind="secondary" icon={<Plug aria-hidden="true" size={20} />} onPress={onAdapter}>
            {text('payment:withAdapter')}
          </Button>
        )}
        <Button kind="text" size="s" onPress={onOther}>
          {text('payment:otherConnector')}
        </Button>
      </Dock>
    </>
  );
}

function useAfter(ms: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isOver;
}
