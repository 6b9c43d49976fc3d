import { Content, Portal, Root, Title } from '@radix-ui/react-dialog';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLayer } from '../../router/index.ts';
import { focusHeading } from '../hooks/focus-heading.ts';

interface OverlayProps {
  open: boolean;
  onClose: () => void;
  /** Announced when it opens. */
  title: ReactNode;
  titleClassName?: string;
  className: string;
  /**
   * What gets the focus first: the first button or field, or the overlay itself when none of them should be preferred.
   */
  focuses?: 'first' | 'itself';
  /** The page below stays bright: the map under a marker's sheet. */
  clear?: boolean;
  children: ReactNode;
}

/**
 * A modal layer over the page: it traps the focus, Escape, Back and a press outside close it, and the focus returns. The
 * scrim is our own, because the library's injects a style element, which our content security policy forbids.
 */
export function Overlay({ open, onClose, clear = false, ...layer }: OverlayProps) {
  useLayer(open, onClose);
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
  const openedAt = useRef(location.pathname);
  // Two overlays that open at the same moment hide each other from screen readers. The top one runs last and removes
  // the attribute.
  useEffect(() => content.current?.removeAttribute('aria-hidden'), []);
  return (
    <Content
      ref={content}
      // A focus ring around the whole overlay would be useless, because it is the only element.
      className={`${className} outline-none`}
      aria-describedby={undefined}
      onOpenAutoFocus={(event) => {
        focusBefore.current = previousFocus();
        if (focuses === 'first') return;
        event.preventDefault();
        (event.target as HTMLElement).focus();
      }}
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        // A link in the overlay has opened another page.
        if (location.pathname !== openedAt.current) focusHeading();
        else focusBefore.current?.focus({ preventScroll: true });
      }}
    >
      <Title className={titleClassName}>{title}</Title>
      {children}
    </Content>
  );
}

let lastFocused: HTMLElement | null = null;

/**
 * When one popup follows another, the focus was on no element for a moment; it returns to where it was before the first
 * one.
 */
function previousFocus(): HTMLElement | null {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && activeElement !== document.body) lastFocused = activeElement;
  return lastFocused;
}
