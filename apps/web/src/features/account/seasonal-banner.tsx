import { useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { MainButton } from '../../ui/form/main-button.tsx';
import { PopupFrame } from '../../ui/overlay/popup-frame.tsx';
import { rememberSeason } from './season.ts';

/** A greeting over sign-in, once a year. */
export function SeasonalBanner() {
  const text = useText();
  const [isOpen, setOpen] = useState(true);
  function close() {
    rememberSeason(new Date());
    setOpen(false);
  }
  return (
    <PopupFrame
      open={isOpen}
      onClose={close}
      title={text('auth:seasonTitle')}
      titleClassName="order-1 text-center text-h2 text-balance"
    >
      <div className="flex justify-center rounded-control bg-promo-tint py-6 text-promo">
        <Pumpkin />
      </div>
      <p className="order-2 -mt-3 text-center text-body text-ink-2">{text('auth:seasonText')}</p>
      <div className="order-3">
        <MainButton size="m" onPress={close}>
          {text('generic:ok')}
        </MainButton>
      </div>
    </PopupFrame>
  );
}

/** A pumpkin with a charging cable. */
function Pumpkin() {
  return (
    <svg aria-hidden="true" viewBox="0 0 96 96" width="112" height="112" fill="none">
      <path
        d="M48 28c-4-9 2-16 10-18M30 30C14 30 8 44 8 58s8 28 22 28c4 0 6-2 8-2h20c2 0 4 2 8 2 14 0 22-14 22-28S82 30 66 30c-4 0-7 2-9 2H39c-2 0-5-2-9-2Z"
        stroke="currentColor"
        strokeWidth="5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path d="m36 46 6 9H30l6-9Zm24 0 6 9H54l6-9Z" fill="currentColor" />
      <path d="m50 58-8 11h6l-3 10 10-13h-6l3-8h-2Z" fill="currentColor" />
    </svg>
  );
}
