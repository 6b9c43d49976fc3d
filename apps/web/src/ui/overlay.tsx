import { Content, Portal, Root, Title } from 'radix-ui/dialog';
import type { ReactNode } from 'react';

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
export function Overlay({
  open,
  onClose,
  title,
  titleClassName,
  className,
  focuses = 'first',
  clear = false,
  children,
}: OverlayProps) {
  return (
    <Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Portal>
        <div className={clear ? 'scrim bg-transparent!' : 'scrim'} data-state={open ? 'open' : 'closed'} />
        <Content
          className={className}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            rememberFocus();
            if (focuses === 'first') return;
            event.preventDefault();
            (event.target as HTMLElement).focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusBefore?.focus();
          }}
        >
          <Title className={titleClassName}>{title}</Title>
          {children}
        </Content>
      </Portal>
    </Root>
  );
}

let focusBefore: HTMLElement | null = null;

/** When one popup follows another, the focus was nowhere for a moment: it belongs where the first one took it from. */
function rememberFocus(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && activeElement !== document.body) focusBefore = activeElement;
}
