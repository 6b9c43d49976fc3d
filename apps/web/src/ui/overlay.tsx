import { Content, Portal, Root, Title } from 'radix-ui/dialog';
import { type ReactNode, useEffect, useRef } from 'react';

interface OverlayProps {
  open: boolean;
  onClose: () => void;
  /** Read aloud when it opens. */
  title: ReactNode;
  titleClassName?: string;
  className: string;
  /** What the focus goes to first: its first button or field, or for those in which none is meant more than the others, itself. */
  focuses?: 'first' | 'itself';
  /** What lies below stays as bright as it was: the map under a marker's sheet. */
  clear?: boolean;
  children: ReactNode;
}

/**
 * What lies over the page and must be dealt with first: focus is trapped, Escape and a press outside close it, and the
 * focus returns to where it was. The scrim is our own: the library's injects a style element, which our content
 * security policy forbids.
 */
export function Overlay({ open, onClose, clear = false, ...layer }: OverlayProps) {
  return (
    <Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Portal>
        <div className={clear ? 'scrim bg-transparent!' : 'scrim'} data-state={open ? 'open' : 'closed'} />
        <Layer {...layer} />
      </Portal>
    </Root>
  );
}

type LayerProps = Omit<OverlayProps, 'open' | 'onClose' | 'clear'>;

function Layer({ title, titleClassName, className, focuses = 'first', children }: LayerProps) {
  const content = useRef<HTMLDivElement>(null);
  const focusBefore = useRef<HTMLElement>(null);
  // Two that open in the same moment hide each other from screen readers. The one on top comes last and takes it back.
  useEffect(() => content.current?.removeAttribute('aria-hidden'), []);
  return (
    <Content
      ref={content}
      // A ring around the whole of it would say nothing: it is the only thing there.
      className={`${className} outline-none`}
      aria-describedby={undefined}
      onOpenAutoFocus={(event) => {
        focusBefore.current = takenFocus();
        if (focuses === 'first') return;
        event.preventDefault();
        (event.target as HTMLElement).focus();
      }}
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        focusBefore.current?.focus();
      }}
    >
      <Title className={titleClassName}>{title}</Title>
      {children}
    </Content>
  );
}

let lastTaken: HTMLElement | null = null;

/** When one popup follows another, the focus was nowhere for a moment: it belongs where the first one took it from. */
function takenFocus(): HTMLElement | null {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && activeElement !== document.body) lastTaken = activeElement;
  return lastTaken;
}
