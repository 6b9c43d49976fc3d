import { connectorTypes } from '@fpay/contract/connectors';
import { useQuery } from '@tanstack/react-query';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { MainButton } from '../../../ui/form/main-button.tsx';
import { Dock } from '../../../ui/layout/dock.tsx';
import { ConnectorIcon } from '../../../ui/picture/connector-icon.tsx';
import { alternativesQuery } from '../free-alert/alternatives.ts';
import { FreeNearby } from '../free-alert/free-nearby.tsx';
import type { ChosenProps } from './chosen-connector.tsx';
import { StepTitle } from './steps.tsx';

/** Another driver was faster. Nothing was charged, and the nearest free connectors of the same type are offered. */
export function ConnectorTaken({ station, connector, onOther }: ChosenProps & { onOther: () => void }) {
  const text = useText();
  const number = connector.station_number ?? station.number;
  const { data } = useQuery(alternativesQuery(number, connector.type));
  const type = connectorTypes[connector.type].name;
  const nearest = data?.free[0];
  return (
    <>
      <div className="flex flex-1 animate-step flex-col gap-5 px-4 pb-6">
        <div
          role="alert"
          className="flex items-center gap-3.5 rounded-card bg-surface p-4 shadow-[inset_0_0_0_1.5px_var(--occupied-fill)]"
        >
          <span
            aria-hidden="true"
            className="grid size-13 shrink-0 place-items-center rounded-control bg-occupied-tint text-occupied"
          >
            <ConnectorIcon type={connector.type} withCable={connector.has_cable} size={32} />
          </span>
          <div className="min-w-0">
            <StepTitle>
              <span className="text-card">
                {text('payment:taken', {
                  connector: `${type} ${text('station:number', { number: connector.api_address })}`,
                })}
              </span>
            </StepTitle>
            <p className="text-note text-ink-2">{text('payment:takenText')}</p>
          </div>
        </div>
        <FreeNearby free={data?.free ?? []} title={text('payment:freeOfType', { type })} />
      </div>
      <Dock>
        {nearest && (
          <MainButton to={`/station/${nearest.number}`}>{text('payment:goTo', { number: nearest.number })}</MainButton>
        )}
        <Button onPress={onOther}>{text('payment:otherAt', { number })}</Button>
      </Dock>
    </>
  );
}
