import { type ReactNode, useEffect, useRef } from 'react';
import type { TextKey } from '../../../i18n/text-key.ts';
import { useText } from '../../../i18n/use-text.ts';
import { classNames } from '../../../ui/hooks/class-names.ts';

/** A guest pays by card, so the choice of a method is left out; where nothing has to be paid, only the start is left. */
const flows = {
  usual: ['station:stepConnector', 'station:stepPayment', 'station:stepAmount'],
  guest: ['station:stepConnector', 'station:stepAmount'],
  free: ['station:stepConnector', 'station:stepStart'],
} as const satisfies Record<string, TextKey[]>;
export type StepFlow = keyof typeof flows;

/** Shows the driver's step between connector and payment. */
export function StepIndicator({ current, flow = 'usual' }: { current: 1 | 2 | 3; flow?: StepFlow }) {
  const text = useText();
  const names = flows[flow].map((key) => text(key));
  return (
    <ol aria-label={text('station:steps')} className="flex gap-1.5 px-4 pt-1 pb-4">
      {names.map((name, index) => (
        <li
          key={name}
          aria-current={index + 1 === current ? 'step' : undefined}
          className={classNames(
            'min-w-0 flex-1 border-t-4 pt-1.5 text-small font-bold',
            index + 1 <= current ? 'border-free-fill' : 'border-line',
            index + 1 === current ? 'text-ink' : 'text-ink-2',
          )}
        >
          {index + 1}. {name}
        </li>
      ))}
    </ol>
  );
}

/** The title of a step that replaced another one; screen readers and the keyboard continue here. */
export function StepTitle({ children }: { children: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    scrollTo(0, 0);
    title.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={title} tabIndex={-1} className="text-h1 outline-none">
      {children}
    </h1>
  );
}
