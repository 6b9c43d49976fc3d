import Pencil from 'lucide-react/icons/pencil';
import { type ReactNode, useEffect, useRef } from 'react';
import { useText } from '../../i18n/use-text.ts';

interface MaskedFieldProps {
  label: string;
  /** The present value. */
  value: string;
  isOpen: boolean;
  onOpen: () => void;
  /** The input, once the field was tapped. */
  children: ReactNode;
}

/** A value is only shown until it is tapped, so that an accidental touch changes nothing. */
export function MaskedField({ label, value, isOpen, onOpen, children }: MaskedFieldProps) {
  const text = useText();
  const field = useRef<HTMLDivElement>(null);
  const wasTapped = useRef(false);
  useEffect(() => {
    if (isOpen && wasTapped.current) field.current?.querySelector('input')?.focus();
    wasTapped.current = false;
  }, [isOpen]);

  if (isOpen) return <div ref={field}>{children}</div>;
  return (
    <div>
      <p className="mb-1.5 text-note font-bold">{label}</p>
      <button
        type="button"
        onClick={() => {
          wasTapped.current = true;
          onOpen();
        }}
        className="flex min-h-14 w-full items-center gap-3 rounded-control bg-surface px-4 text-left text-field shadow-card active:bg-surface-2"
      >
        <span className="sr-only">{text('account:change', { field: label })}</span>
        <span className="min-w-0 flex-1 wrap-anywhere">{value}</span>
        <Pencil aria-hidden="true" size={20} className="shrink-0 text-ink-2" />
      </button>
    </div>
  );
}
