import CircleHelp from 'lucide-react/icons/circle-help';
import PlugZap from 'lucide-react/icons/plug-zap';
import Wallet from 'lucide-react/icons/wallet';
import type { ReactNode } from 'react';
import type { TextKey } from '../../i18n/text-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { Dock } from '../../ui/layout/dock.tsx';
import { PageTitle } from '../../ui/layout/page-title.tsx';
import { useSettings } from '../settings/queries.ts';

const steps: readonly (readonly [title: TextKey, text: TextKey])[] = [
  ['instruction:step1', 'instruction:step1Text'],
  ['instruction:step2', 'instruction:step2Text'],
  ['instruction:step3', 'instruction:step3Text'],
  ['instruction:step4', 'instruction:step4Text'],
  ['instruction:step5', 'instruction:step5Text'],
];

const deposit: readonly TextKey[] = ['instruction:deposit1', 'instruction:deposit2', 'instruction:deposit3'];

const failures: readonly (readonly [question: TextKey, answer: TextKey])[] = [
  ['instruction:failScan', 'instruction:failScanText'],
  ['instruction:failStart', 'instruction:failStartText'],
  ['instruction:failPay', 'instruction:failPayText'],
  ['instruction:failNetwork', 'instruction:failNetworkText'],
  ['instruction:failStation', 'instruction:failStationText'],
  ['instruction:failEarly', 'instruction:failEarlyText'],
  ['instruction:failCable', 'instruction:failCableText'],
];

/** How to charge, what the deposit is and what happens when something fails. It needs no account. */
export function Page() {
  const text = useText();
  const { support_phone: phone } = useSettings();
  return (
    <>
      <div className="flex flex-1 flex-col gap-8 px-4 pt-1 pb-8">
        <PageTitle back="/map">{text('instruction:title')}</PageTitle>
        <Part icon={<PlugZap size={24} />} title={text('instruction:how')}>
          <ol className="flex flex-col gap-4">
            {steps.map(([title, what], index) => (
              <li key={title} className="flex gap-4 rounded-card bg-surface p-4 shadow-card">
                <span
                  aria-hidden="true"
                  className="tabular grid size-10 shrink-0 place-items-center rounded-full bg-accent text-card font-extrabold text-on-accent"
                >
                  {index + 1}
                </span>
                <div className="min-w-0">
                  <h3 className="text-card font-extrabold">{text(title)}</h3>
                  <p className="mt-1 text-body text-ink-2 text-pretty">{text(what)}</p>
                </div>
              </li>
            ))}
          </ol>
        </Part>
        <Part icon={<Wallet size={24} />} title={text('instruction:deposit')}>
          <div className="flex flex-col gap-3 rounded-card bg-surface p-4 text-body text-pretty shadow-card">
            {deposit.map((key) => (
              <p key={key}>{text(key)}</p>
            ))}
          </div>
        </Part>
        <Part icon={<CircleHelp size={24} />} title={text('instruction:fails')}>
          <dl className="divide-y divide-line rounded-card bg-surface px-4 shadow-card">
            {failures.map(([question, answer]) => (
              <div key={question} className="py-4">
                <dt className="text-card font-extrabold">{text(question)}</dt>
                <dd className="mt-1 text-body text-ink-2 text-pretty">{text(answer)}</dd>
              </div>
            ))}
          </dl>
          <p className="mt-3 text-body text-pretty">{text('instruction:support')}</p>
        </Part>
      </div>
      <Dock>
        <MainButton to="/qr">{text('instruction:scan')}</MainButton>
        <Button kind="text" className="w-full" href={`tel:${phone}`}>
          {text('instruction:call', { phone })}
        </Button>
      </Dock>
    </>
  );
}

function Part({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-3 flex items-center gap-2.5 text-h2">
        <span aria-hidden="true">{icon}</span>
        {title}
      </h2>
      {children}
    </section>
  );
}
