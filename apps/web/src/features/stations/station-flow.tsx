import type { Connector, StationPage } from '@fpay/contract/stations';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useOnline } from '../../ui/use-online.ts';
import type { PaymentMethod } from './amount.ts';
import { AmountStep } from './amount-step.tsx';
import { withStates } from './connector-state.ts';
import { ConnectorStep } from './connector-step.tsx';
import { FreeStep } from './free-step.tsx';
import { PaymentStep } from './payment-step.tsx';
import { type StationKind, stationQueries, statusRefreshMs } from './queries.ts';
import { useSelection } from './selection.ts';
import { Steps } from './steps.tsx';

interface StationFlowProps {
  kind: StationKind;
  station: StationPage;
  /** Unix ms. */
  loadedAt: number;
}

type Step =
  | { name: 'connectors' }
  | { name: 'free' | 'payment'; connector: Connector }
  | { name: 'amount'; connector: Connector; method: PaymentMethod };

/** The way from a plug to a payment. A free connector takes a shorter one. */
export function StationFlow({ kind, station, loadedAt }: StationFlowProps) {
  const isOnline = useOnline();
  const states = useQuery({
    ...stationQueries.connectors(kind, station.number),
    // The page itself brought them.
    initialData: station.connectors,
    initialDataUpdatedAt: loadedAt,
    enabled: isOnline,
    // Nobody looks at a hidden page: the library pauses there, and asks at once on return.
    refetchInterval: statusRefreshMs,
  });
  // A failure changes nothing: the list stays as it was and says how old it is.
  const connectors = withStates(station.connectors, states.data);
  const selection = useSelection(connectors);
  const [step, setStep] = useState<Step>({ name: 'connectors' });

  const goOn = (connector: Connector) => setStep({ name: connector.price === 0 ? 'free' : 'payment', connector });
  const { isReady, connector: selected } = selection;
  // biome-ignore lint/correctness/useExhaustiveDependencies: goes on when the chosen connector becomes ready.
  useEffect(() => {
    if (isReady && selected && step.name === 'connectors') goOn(selected);
  }, [isReady, selected?.id]);

  function choose(connector: Connector) {
    selection.toggle(connector);
    // What the list says may be seconds old; the plug may be in by now.
    if (connector.status === 'free') void states.refetch();
  }

  function startOver() {
    selection.clear();
    setStep({ name: 'connectors' });
  }

  if (step.name === 'connectors')
    return (
      <>
        <Steps current={1} />
        <ConnectorStep
          station={station}
          connectors={connectors}
          selection={{ ...selection, toggle: choose }}
          updatedAt={states.dataUpdatedAt}
          isLost={!isOnline || states.isError}
          onRefresh={() => void states.refetch()}
          onAdapter={goOn}
        />
      </>
    );
  const chosen = { station, connector: step.connector };
  return (
    <>
      <Steps current={step.name === 'amount' ? 3 : 2} />
      {step.name === 'free' && <FreeStep {...chosen} onBack={startOver} />}
      {step.name === 'payment' && (
        <PaymentStep
          {...chosen}
          onBack={startOver}
          onChoose={(method) => setStep({ name: 'amount', connector: step.connector, method })}
        />
      )}
      {step.name === 'amount' && (
        <AmountStep
          {...chosen}
          method={step.method}
          onBack={() => setStep({ name: 'payment', connector: step.connector })}
        />
      )}
    </>
  );
}
