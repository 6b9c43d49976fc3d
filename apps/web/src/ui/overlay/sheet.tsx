import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../form/icon-button.tsx';
import { classNames } from '../hooks/class-names.ts';
import { Overlay } from './overlay.tsx';
import { useDragDown } from './use-drag-down.ts';

interface SheetProps {
  open: boolean;
  onClose: () => void;
  title: string;
  subtitle?: string;
  /** Beside the close button. */
  action?: ReactNode;
  /** Low enough to leave its subject visible, and without a scrim. */
  low?: boolean;
  children: ReactNode;
}

/** Opens from the bottom and stays below 92 % of the height; its content scrolls inside. */
export function Sheet({ open, onClose, title, subtitle, action, low = false, children }: SheetProps) {
  const text = useText();
  const drag = useDragDown(onClose);
  return (
    <Overlay
      open={open}
      onClose={onClose}
      title={title}
      clear={low}
      titleClassName={classNames('px-5 text-h2', action ? 'pr-40' : 'pr-16')}
      className={classNames(
        low ? 'max-h-[74dvh]' : 'max-h-[92dvh]',
        'fixed inset-x-0 bottom-0 z-50 mx-auto flex max-w-3xl flex-col rounded-t-card bg-bg pt-8 shadow-sheet data-[state=closed]:animate-sink data-[state=open]:animate-rise',
      )}
    >
      <div className="absolute inset-x-0 top-0 flex h-8 touch-none justify-center pt-2" {...drag} data-testid="grabber">
        <span aria-hidden="true" className="h-[5px] w-10 rounded-full bg-offline-fill" />
      </div>
      <IconButton
        label={text('generic:close')}
        icon={<X size={24} />}
        onPress={onClose}
        className="absolute top-6 right-3"
      />
      {action && <div className="absolute top-6 right-14">{action}</div>}
      {subtitle && <p className="px-5 text-note text-ink-2">{subtitle}</p>}
      <div className="min-h-0 overflow-y-auto px-4 pt-4 pb-dock">{children}</div>
    </Overlay>
  );
}
