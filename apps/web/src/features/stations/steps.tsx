import { type ReactNode, useEffect, useRef } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { classNames } from '../../ui/class-names.ts';

/** How far the driver is on the way from plug to payment. */
export function Steps({ current }: { current: 1 | 2 | 3 }) {
  const text = useText();
  const names = [text('station:stepConnector'), text('station:stepPayment'), text('station:stepAmount')];
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

/** The title of a step that took another's place: readers and the keyboard go on from here. */
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
