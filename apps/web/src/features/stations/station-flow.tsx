import type { Connector, StationPage } from '@fpay/contract/stations';
import { lazy, Suspense, useEffect } from 'react';
import { useNextPage } from '../../ui/hooks/use-next-page.ts';
import { whenIdle } from '../../ui/hooks/when-idle.ts';
import { ConnectorStep } from './connector-step.tsx';
import { useLiveConnectors } from './live.ts';
import type { StationKind } from './queries.ts';
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
  const { connectors, updatedAt, isLost, refetch } = useLiveConnectors({ kind, station, loadedAt }, true);
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
    if (connector.status === 'free') refetch();
  }

  if (step.name === 'connectors')
    return (
      <>
        <StepIndicator current={1} />
        <ConnectorStep
          station={station}
          connectors={connectors}
          selection={{ ...selection, toggle: toggleConnector }}
          updatedAt={updatedAt}
          isLost={isLost}
          onRefresh={refetch}
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
            onChoose={(method) => next({ name: 'amount', connector: step.connector, method, amount: null })}
          />
        )}
        {step.name === 'amount' && (
          <AmountStep
            {...chosen}
            method={step.method}
            draft={step.amount}
            onBack={goBack}
            onPay={(amount) => replace({ ...step, amount })}
          />
        )}
      </Suspense>
    </>
  );
}
