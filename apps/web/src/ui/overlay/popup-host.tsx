import { useState } from 'react';
import { ConfirmPopup } from './confirm-popup.tsx';
import { Popup } from './popup.tsx';
import { close, usePopups } from './popups.ts';

/** Mounted once in the root shell; shows the first popup of the queue. */
export function PopupHost() {
  const current = usePopups(({ waiting }) => waiting[0]);
  // The last one stays visible while it closes.
  const [shown, setShown] = useState(current);
  if (current && current !== shown) setShown(current);
  if (!shown) return null;

  const open = current === shown;
  const answer = (confirmed: boolean) => close(shown, confirmed);
  if (shown.kind === 'message')
    return <Popup key={shown.id} open={open} message={shown.message} onClose={() => answer(true)} />;
  return <ConfirmPopup key={shown.id} open={open} {...shown.question} onAnswer={answer} />;
}
