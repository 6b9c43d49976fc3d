import type { Connector, StationPage } from '@fpay/contract/stations';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { useNextPage } from '../../ui/hooks/use-next-page.ts';
import { useOnline } from '../../ui/hooks/use-online.ts';
import { whenIdle } from '../../ui/hooks/when-idle.ts';
import { withStates } from './connector-state.ts';
import { ConnectorStep } from './connector-step.tsx';
import { type StationKind, stationQueries, statusRefreshMs } from './queries.ts';
import { useSelection } from './selection.ts';
import { useStep } from './step.ts';
import { StepIndicator } from './steps.tsx';

const loadLaterSteps = () => import('./later-steps.ts');
const FreeStep = lazy(async () => ({ default: (await loadLaterSteps()).FreeStep }));
const PaymentStep = lazy(async () => ({ default: (await loadLaterSteps()).PaymentStep }));
const AmountStep = lazy(async () => ({ default: (await loadLaterSteps()).AmountStep }));

interface StationFlowProps {
  kind: StationKind;
  station: StationPage;
  /** Unix ms. */
  loadedAt: number;
}

/** The steps from a connector to a payment. A free connector has fewer. */
export function StationFlow({ kind, station, loadedAt }: StationFlowProps) {
  const isOnline = useOnline();
  const states = useQuery({
    ...stationQueries.connectors(kind, station.number),
    // The page's own data has them.
    initialData: station.connectors,
    initialDataUpdatedAt: loadedAt,
    enabled: isOnline,
    // The library pauses on a hidden page and refetches at once on return.
    refetchInterval: statusRefreshMs,
  });
  // A failure changes nothing: the list stays and shows its age.
  const connectors = withStates(station.connectors, states.data);
  const selection = useSelection(connectors);
  const { step, next, replace, goBack } = useStep(connectors);
  useNextPage(step.name !== 'connectors');
  useEffect(() => whenIdle(() => loadLaterSteps().catch(() => undefined)), []);

  function selectConnector(connector: Connector) {
    // The step stores the connector from here on; a driver who goes back chooses again.
    selection.clear();
    next({ name: connector.price === 0 ? 'free' : 'payment', connector });
  }
  const { isReady, connector: selected } = selection;
  // biome-ignore lint/correctness/useExhaustiveDependencies: goes on when the chosen connector becomes ready.
  useEffect(() => {
    if (isReady && selected && step.name === 'connectors') selectConnector(selected);
  }, [isReady, selected?.id]);

  function toggleConnector(connector: Connector) {
    selection.toggle(connector);
    // The list may be seconds old, and the cable may be plugged in by now.
    if (connector.status === 'free') void states.refetch();
  }

  if (step.name === 'connectors')
    return (
      <>
        <StepIndicator current={1} />
        <ConnectorStep
          station={station}
          connectors={connectors}
          selection={{ ...selection, toggle: toggleConnector }}
          updatedAt={states.dataUpdatedAt}
          isLost={!isOnline || states.isError}
          onRefresh={() => void states.refetch()}
          onAdapter={selectConnector}
        />
      </>
    );
  const chosen = { station, connector: step.connector };
  return (
    <>
      <StepIndicator current={step.name === 'amount' ? 3 : 2} />
      <Suspense>
        {step.name === 'free' && <FreeStep {...chosen} onBack={goBack} />}
        {step.name === 'payment' && (
          <PaymentStep
            {...chosen}
            onBack={goBack}
            onChoose={(method, card) => next({ name: 'amount', connector: step.connector, method, card, amount: null })}
          />
        )}
        {step.name === 'amount' && (
          <AmountStep
            {...chosen}
            method={step.method}
            card={step.card}
            draft={step.amount}
            onBack={goBack}
            onPay={(amount) => replace({ ...step, amount })}
          />
        )}
      </Suspense>
    </>
  );
}
