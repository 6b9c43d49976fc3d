import { useState } from 'react';
import { ConfirmPopup } from './confirm-popup.tsx';
import { Popup } from './popup.tsx';
import { close, usePopups } from './popups.ts';

/** Sits once in the root shell and shows the popup whose turn it is. */
export function PopupHost() {
  const current = usePopups(({ waiting }) => waiting[0]);
  // The last one stays drawn while it leaves.
  const [shown, setShown] = useState(current);
  if (current && current !== shown) setShown(current);
  if (!shown) return null;

  const open = current === shown;
  const answer = (confirmed: boolean) => close(shown, confirmed);
  if (shown.kind === 'message')
    return <Popup key={shown.id} open={open} message={shown.message} onClose={() => answer(true)} />;
  return <ConfirmPopup key={shown.id} open={open} {...shown.question} onAnswer={answer} />;
}
