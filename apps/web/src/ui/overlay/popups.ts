import { create } from 'zustand';
import type { ConfirmQuestion } from './confirm-popup.tsx';

/** A message, or a question whose answer a caller awaits. */
export type QueuedPopup =
  | { kind: 'message'; id: number; message: string | undefined; answer: (seen: boolean) => void }
  | { kind: 'question'; id: number; question: ConfirmQuestion; answer: (confirmed: boolean) => void };

interface PopupQueue {
  waiting: QueuedPopup[];
}

/** Any code can request a popup; the shell's host shows them one after another, so that none covers another. */
export const usePopups = create<PopupQueue>(() => ({ waiting: [] }));

let lastId = 0;

/** Shows a message; resolves when the driver has closed it. */
export function notify(message?: string): Promise<boolean> {
  return new Promise((answer) => add({ kind: 'message', id: ++lastId, message, answer }));
}

/** Shows a message before the queued ones, because it is about the present moment. */
export function notifyFirst(message: string): Promise<boolean> {
  return new Promise((answer) => {
    const popup: QueuedPopup = { kind: 'message', id: ++lastId, message, answer };
    usePopups.setState(({ waiting }) => ({ waiting: [popup, ...waiting] }));
  });
}

/** Asks a question; resolves to whether the driver said yes. */
export function confirm(question: ConfirmQuestion): Promise<boolean> {
  return new Promise((answer) => add({ kind: 'question', id: ++lastId, question, answer }));
}

export function close(popup: QueuedPopup, confirmed: boolean): void {
  usePopups.setState(({ waiting }) => ({ waiting: waiting.filter(({ id }) => id !== popup.id) }));
  popup.answer(confirmed);
}

/** Removes a message whose reason has gone, also while it is shown. */
export function withdrawMessage(message: string): void {
  for (const popup of usePopups.getState().waiting)
    if (popup.kind === 'message' && popup.message === message) close(popup, true);
}

function add(popup: QueuedPopup): void {
  usePopups.setState(({ waiting }) => ({ waiting: [...waiting, popup] }));
}
