import type { Connector } from '@fpay/contract/stations';
import Plug from 'lucide-react/icons/plug';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { Dock } from '../../ui/layout/dock.tsx';
import { ConnectorIcon } from '../../ui/picture/connector-icon.tsx';

interface PlugInProps {
  connector: Connector;
  offersAdapter: boolean;
  onAdapter: () => void;
  onOther: () => void;
}

/** Between choosing and paying, because the charger has to detect the car first. */
export function PlugIn({ connector, offersAdapter, onAdapter, onOther }: PlugInProps) {
  const text = useText();
  return (
    <>
      <div className="flex flex-1 animate-step flex-col items-center justify-center px-4 py-8 text-center">
        <span className="relative grid size-33 place-items-center rounded-full bg-ready-tint text-ready">
          <span
            aria-hidden="true"
            className="absolute inset-3.5 animate-spin rounded-full border-3 border-current/20 border-t-ready-fill [animation-duration:2.4s]"
          />
          <ConnectorIcon type={connector.type} withCable={connector.has_cable} size={64} />
        </span>
        <div role="status">
          <h2 className="mt-5 text-h2">{text('station:plugIn')}</h2>
        </div>
        <p className="mt-2 max-w-[20rem] text-body text-ink-2 text-pretty">{text('station:plugInText')}</p>
      </div>
      <Dock>
        {offersAdapter && (
          <Button kind="secondary" icon={<Plug aria-hidden="true" size={20} />} onPress={onAdapter}>
            {text('station:withAdapter')}
          </Button>
        )}
        <Button kind="text" size="s" onPress={onOther}>
          {text('station:otherConnector')}
        </Button>
      </Dock>
    </>
  );
}
