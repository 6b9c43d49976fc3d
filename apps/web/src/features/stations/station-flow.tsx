import type { Connector, StationPage } from '@fpay/contract/stations';
import { lazy, Suspense, useEffect, useState } from 'react';
import { withTexts } from '../../i18n/i18n.ts';
import { useLocation, useNavigate } from '../../router/index.ts';
import { useNextPage } from '../../ui/hooks/use-next-page.ts';
import { useOnce, useWhen } from '../../ui/hooks/use-when.ts';
import { whenIdle } from '../../ui/hooks/when-idle.ts';
import { isRegistered, useUser } from '../account/queries.ts';
import { isAvailable } from './connector-state.ts';
import { useLiveConnectors } from './live.ts';
import type { OwnConnector } from './pay/own-unpaid.tsx';
import type { StationKind } from './queries.ts';
import { useSelection } from './selection.ts';
import { rememberStep, stepAfter, takeRememberedStep, useStep } from './step.ts';
import { ConnectorStep } from './steps/connector-step.tsx';
import { type StepFlow, StepIndicator } from './steps/steps.tsx';

const loadLaterSteps = () => withTexts(['payment'], import('./steps/later-steps.ts'));
const FreeStep = lazy(async () => ({ default: (await loadLaterSteps()).FreeStep }));
const ConnectorTaken = lazy(async () => ({ default: (await loadLaterSteps()).ConnectorTaken }));
const PlugIn = lazy(async () => ({ default: (await loadLaterSteps()).PlugIn }));
const PaymentStep = lazy(async () => ({ default: (await loadLaterSteps()).PaymentStep }));
const AmountStep = lazy(async () => ({ default: (await loadLaterSteps()).AmountStep }));
const OwnUnpaid = lazy(async () => ({
  default: (await withTexts(['payment'], import('./pay/own-unpaid.tsx'))).OwnUnpaid,
}));

interface StationFlowProps {
  kind: StationKind;
  station: StationPage;
  /** Unix ms. */
  loadedAt: number;
  /** The driver returns from a top-up to the step where the balance was too small. */
  isBackFromBank: boolean;
}

/** The steps from a connector to a payment. A free connector has fewer. */
export function StationFlow({ kind, station, loadedAt, isBackFromBank }: StationFlowProps) {
  const navigate = useNavigate();
  const here = useLocation();
  const { connectors, updatedAt, isLost, refetch } = useLiveConnectors({ kind, station, loadedAt }, true);
  const user = useUser();
  const isGuest = !isRegistered(user);
  const [own, setOwn] = useState<OwnConnector | null>(null);
  const { step, next, replace, goBack } = useStep(connectors);
  const { connector: pressed, toggle } = useSelection(connectors, (chosen) => next(stepAfter(chosen, { isGuest })));
  useNextPage(step.name === 'payment' || step.name === 'amount' || step.name === 'free');
  useEffect(() => whenIdle(() => loadLaterSteps().catch(() => undefined)), []);

  // On the return from a top-up.
  useOnce(() => {
    if (!isBackFromBank) return;
    const left = takeRememberedStep(here.pathname);
    if (left !== null) void navigate(here.pathname + here.search, { state: left });
  });

  const pluggedIn = step.name === 'plug' && step.connector.status === 'ready' && step.connector;
  // In place of the request to plug in, so that Back leads to the connectors.
  useWhen(pluggedIn, (connector) => replace(stepAfter(connector, { isGuest })));

  async function pressConnector(connector: Connector) {
    if (own && !(await own.giveUp())) return;
    toggle(connector);
    // The list may be seconds old, and the cable may be plugged in by now.
    if (connector.status === 'free') refetch();
  }

  if (step.name === 'connectors')
    return (
      <>
        <StepIndicator current={1} flow={isGuest ? 'guest' : 'usual'} />
        <ConnectorStep
          station={station}
          connectors={connectors}
          pressed={pressed}
          onPress={(connector) => void pressConnector(connector)}
          own={own}
          updatedAt={updatedAt}
          isLost={isLost}
          onRefresh={refetch}
        />
        {!isGuest && user?.active_operations[0] && (
          <Suspense>
            <OwnUnpaid station={station} onOwn={setOwn} onChange={refetch} />
          </Suspense>
        )}
      </>
    );
  const { connector } = step;
  const chosen = { station, connector };
  return (
    <>
      <StepIndicator
        current={step.name === 'plug' ? 1 : step.name === 'amount' && !isGuest ? 3 : 2}
        flow={flowOf(step, isGuest)}
      />
      <Suspense>
        {step.name === 'plug' && !isAvailable(connector) && <ConnectorTaken {...chosen} onOther={() => goBack()} />}
        {step.name === 'plug' && isAvailable(connector) && (
          <PlugIn
            connector={connector}
            onAdapter={() => replace(stepAfter(connector, { isGuest, isPluggedIn: true }))}
            onOther={() => goBack()}
          />
        )}
        {step.name === 'free' && <FreeStep {...chosen} onBack={() => goBack()} />}
        {step.name === 'payment' && (
          <PaymentStep
            {...chosen}
            onBack={() => goBack()}
            onChoose={(method, card) => next({ name: 'amount', connector, method, card, amount: null })}
          />
        )}
        {step.name === 'amount' && (
          <AmountStep
            {...chosen}
            method={step.method}
            card={step.card}
            draft={step.amount}
            onBack={() => goBack()}
            onOther={() => goBack(isGuest ? 1 : 2)}
            onPay={(amount) => replace({ ...step, amount })}
            onTopUp={(amount) => rememberStep(here.pathname, { ...step, amount })}
          />
        )}
      </Suspense>
    </>
  );
}

function flowOf({ connector }: { connector: Connector }, isGuest: boolean): StepFlow {
  if (connector.price === 0) return 'free';
  return isGuest ? 'guest' : 'usual';
}
