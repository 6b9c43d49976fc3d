import type { Operation } from '@fpay/contract/charging';
import type { WentBack } from '@fpay/contract/went-back';
import Undo2 from 'lucide-react/icons/undo-2';
import type { ReactNode } from 'react';
import type { TextKey } from '../../i18n/text-key.ts';
import { useLanguage, useText } from '../../i18n/use-text.ts';
import { DateTime } from '../../ui/format/date-time.tsx';
import { formatMoney } from '../../ui/format/money.tsx';
import { formatInstant } from '../../ui/format/number-format.ts';
import { classNames } from '../../ui/hooks/class-names.ts';

type Return = WentBack['returns'][number];

const titles = {
  sent: 'status:backSent',
  done: 'status:backDone',
  refused: 'status:backRefused',
} as const satisfies Record<Return['state'], TextKey>;
const dayForm = { day: 'numeric', month: 'long' } as const;
/** Banks credit a refund within three days. */
const creditedWithinMs = 3 * 86_400_000;

/** What of a charge went back to its driver, each return with its way and its reason. */
export function Returned({ operation, refunded }: { operation: Operation; refunded: WentBack }) {
  const { amount, returns } = refunded;
  if (returns.length === 0) return <Card operation={operation} title="status:backDone" amount={amount} />;
  return returns.map((one) => (
    <Card key={one.asked_at} operation={operation} title={titles[one.state]} amount={one.amount} of={one} />
  ));
}

interface CardProps {
  operation: Operation;
  title: TextKey;
  amount: WentBack['amount'];
  /** Unknown for what the bank returned by itself. */
  of?: Return;
}

function Card({ operation: { payment_type, card }, title, amount, of }: CardProps) {
  const text = useText();
  const isCard = payment_type === 'bank';
  return (
    <section className="rounded-card border-2 border-free-fill bg-surface shadow-card">
      <div className="flex flex-col gap-3 p-4">
        <div className="flex items-center gap-3">
          <span
            aria-hidden="true"
            className="grid size-11 shrink-0 place-items-center rounded-control bg-free-tint text-free"
          >
            <Undo2 size={22} />
          </span>
          <div className="min-w-0">
            <h2 className="text-card font-extrabold">{text(title, { amount: formatMoney(amount) })}</h2>
            <p className="text-note text-ink-2">
              {isCard ? text('status:backToCard', { card: card ?? '' }).trim() : text('status:backToBalance')}
            </p>
          </div>
        </div>
        {of && isCard && <Way of={of} />}
        {isCard && of?.state === 'done' && <p className="text-note text-ink-2">{text('status:backOwnLine')}</p>}
      </div>
      {of?.reason && (
        <p className="border-line border-t px-4 py-3 text-note wrap-anywhere">
          <span className="text-ink-2">{text('status:backWhy')}</span> {of.reason}
        </p>
      )}
    </section>
  );
}

/** Decided, sent, credited: a bank does not tell about the last one. */
function Way({ of: { state, asked_at, ended_at } }: { of: Return }) {
  const text = useText();
  const language = useLanguage();
  const creditedBy = ended_at && new Date(new Date(ended_at).getTime() + creditedWithinMs).toISOString();
  return (
    <ol className="grid grid-cols-3 gap-2.5">
      <Stage tone="done" name={text('status:backDecided')}>
        <DateTime instant={asked_at} />
      </Stage>
      <Stage
        tone={state === 'sent' ? 'open' : 'done'}
        name={text(state === 'sent' ? 'status:backAsking' : 'status:backAsked')}
      >
        {ended_at && <DateTime instant={ended_at} />}
      </Stage>
      {state === 'refused' ? (
        <Stage tone="refused" name={text('status:backStopped')}>
          {text('status:backWrite')}
        </Stage>
      ) : (
        <Stage tone="open" name={text('status:backCredited')}>
          {creditedBy && text('status:backCreditedBy', { date: formatInstant(creditedBy, dayForm, language) })}
        </Stage>
      )}
    </ol>
  );
}

const bars = { done: 'bg-free-fill', open: 'bg-line', refused: 'bg-error-fill' } as const;

function Stage({ tone, name, children }: { tone: keyof typeof bars; name: string; children: ReactNode }) {
  return (
    <li className="flex min-w-0 flex-col gap-1 text-small wrap-anywhere">
      <span aria-hidden="true" className={classNames('h-1.5 rounded-full', bars[tone])} />
      <span
        className={classNames(
          'font-bold',
          tone === 'open' && 'font-normal text-ink-2',
          tone === 'refused' && 'text-error',
        )}
      >
        {name}
      </span>
      <span className="text-ink-2 [&_time]:whitespace-normal">{children}</span>
    </li>
  );
}
