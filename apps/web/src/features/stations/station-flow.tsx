import type { Connector, StationPage } from '@fpay/contract/stations';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { useNextPage } from '../../ui/use-next-page.ts';
import { useOnline } from '../../ui/use-online.ts';
import { whenIdle } from '../../ui/when-idle.ts';
import { withStates } from './connector-state.ts';
import { ConnectorStep } from './connector-step.tsx';
import { type StationKind, stationQueries, statusRefreshMs } from './queries.ts';
import { useSelection } from './selection.ts';
import { useStep } from './step.ts';
import { Steps } from './steps.tsx';

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
  const { step, goOn, keep, goBack } = useStep(connectors);
  useNextPage(step.name !== 'connectors');
  useEffect(() => whenIdle(() => loadLaterSteps().catch(() => undefined)), []);

  function take(connector: Connector) {
    // The step has it from here on; whoever comes back chooses anew.
    selection.clear();
    goOn({ name: connector.price === 0 ? 'free' : 'payment', connector });
  }
  const { isReady, connector: selected } = selection;
  // biome-ignore lint/correctness/useExhaustiveDependencies: goes on when the chosen connector becomes ready.
  useEffect(() => {
    if (isReady && selected && step.name === 'connectors') take(selected);
  }, [isReady, selected?.id]);

  function choose(connector: Connector) {
    selection.toggle(connector);
    // What the list says may be seconds old; the plug may be in by now.
    if (connector.status === 'free') void states.refetch();
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
          onAdapter={take}
        />
      </>
    );
  const chosen = { station, connector: step.connector };
  return (
    <>
      <Steps current={step.name === 'amount' ? 3 : 2} />
      <Suspense>
        {step.name === 'free' && <FreeStep {...chosen} onBack={goBack} />}
        {step.name === 'payment' && (
          <PaymentStep
            {...chosen}
            onBack={goBack}
            onChoose={(method) => goOn({ name: 'amount', connector: step.connector, method, amount: null })}
          />
        )}
        {step.name === 'amount' && (
          <AmountStep
            {...chosen}
            method={step.method}
            kept={step.amount}
            onBack={goBack}
            onPay={(amount) => keep({ ...step, amount })}
          />
        )}
      </Suspense>
    </>
  );
}
