import type { ReactNode } from 'react';
import { Overlay } from './overlay.tsx';

interface PopupFrameProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  titleClassName: string;
  focuses?: 'first' | 'itself';
  children: ReactNode;
}

/** 16 px from the sides and the bottom on a phone; 440 wide and centred where there is space. */
export function PopupFrame(props: PopupFrameProps) {
  return (
    <Overlay
      {...props}
      className="fixed inset-x-4 bottom-[calc(1rem+env(safe-area-inset-bottom))] z-50 flex max-h-[calc(100dvh-2rem)] flex-col gap-5 overflow-y-auto rounded-card bg-surface p-6 shadow-popup data-[state=closed]:animate-sink data-[state=open]:animate-rise sm:inset-x-0 sm:top-1/2 sm:bottom-auto sm:mx-auto sm:w-[440px] sm:-translate-y-1/2"
    />
  );
}
