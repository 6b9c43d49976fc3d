import ArrowLeft from 'lucide-react/icons/arrow-left';
import Zap from 'lucide-react/icons/zap';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { MainButton } from '../../../ui/form/main-button.tsx';
import { Dock } from '../../../ui/layout/dock.tsx';
import { usePayment } from '../pay/pay.ts';
import { ChosenConnector, type ChosenProps } from './chosen-connector.tsx';
import { ConnectorTaken } from './connector-taken.tsx';
import { PaymentWaiting } from './payment-waiting.tsx';
import { SiteFull } from './site-full.tsx';
import { StepTitle } from './steps.tsx';

/** Replaces payment and amount when a kWh costs nothing. */
export function FreeStep({ station, connector, onBack }: ChosenProps & { onBack: () => void }) {
  const text = useText();
  const { pay, isPending, problem, wait, withdraw, isTaken, siteFull, forget } = usePayment({
    connector: connector.id,
    isFree: true,
  });
  if (isTaken) return <ConnectorTaken station={station} connector={connector} onOther={onBack} />;
  if (siteFull) return <SiteFull station={station} connector={connector} free={siteFull} onAgain={forget} />;
  return (
    <>
      <div className="flex flex-1 animate-step flex-col gap-3 px-4 pb-6">
        <ChosenConnector station={station} connector={connector} />
        <div className="flex flex-1 flex-col items-center justify-center py-8 text-center max-[359px]:py-4">
          <span
            aria-hidden="true"
            className="mb-7 grid size-38 place-items-center rounded-full bg-free-tint text-free max-[359px]:mb-4 max-[359px]:size-26"
          >
            <Zap size={64} strokeWidth={1.5} />
          </span>
          <StepTitle>{text('payment:freeTitle')}</StepTitle>
          <p className="mt-2 max-w-[22rem] text-body text-ink-2 text-pretty">{text('payment:freeText')}</p>
        </div>
      </div>
      <Dock>
        <p role="status" className="text-note text-error empty:hidden">
          {problem && text(problem)}
        </p>
        {wait ? (
          <PaymentWaiting wait={wait} onWithdraw={withdraw} />
        ) : (
          <>
            <MainButton
              busy={isPending}
              onPress={() =>
                pay({ amount: 0, payment_type: 'card', target: 'uah', connector: connector.id, price: connector.price })
              }
            >
              {text('payment:start')}
            </MainButton>
            <Button icon={<ArrowLeft aria-hidden="true" size={20} />} disabled={isPending} onPress={onBack}>
              {text('generic:back')}
            </Button>
          </>
        )}
      </Dock>
    </>
  );
}
