import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { IconButton } from '../form/icon-button.tsx';
import { classNames } from '../hooks/class-names.ts';
import { Overlay } from './overlay.tsx';

interface PopupFrameProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  titleClassName: string;
  focuses?: 'first' | 'itself';
  /** For a form without a button to cancel. */
  closeButton?: boolean;
  children: ReactNode;
}

/** 16 px from the sides and the bottom on a phone; 440 wide and centred where there is space. */
export function PopupFrame({ closeButton = false, children, ...props }: PopupFrameProps) {
  const text = useText();
  return (
    <Overlay
      {...props}
      titleClassName={classNames(props.titleClassName, closeButton && 'pr-10')}
      className="fixed inset-x-4 bottom-[calc(1rem+env(safe-area-inset-bottom))] z-50 flex max-h-[calc(100dvh-2rem)] flex-col gap-5 overflow-y-auto rounded-card bg-surface p-6 shadow-popup data-[state=closed]:animate-sink data-[state=open]:animate-rise sm:inset-x-0 sm:top-1/2 sm:bottom-auto sm:mx-auto sm:w-[440px] sm:-translate-y-1/2"
    >
      {children}
      {closeButton && (
        <IconButton
          label={text('generic:close')}
          icon={<X size={24} />}
          onPress={props.onClose}
          className="absolute top-3.5 right-3.5"
        />
      )}
    </Overlay>
  );
}
