import { create } from 'zustand';
import type { Question } from './confirm-popup.tsx';

/** Either a message, or a question whose answer somebody waits for. */
export type Waiting =
  | { kind: 'message'; id: number; message: string | undefined; answer: (seen: boolean) => void }
  | { kind: 'question'; id: number; question: Question; answer: (confirmed: boolean) => void };

interface PopupQueue {
  waiting: Waiting[];
}

/** Popups are asked for from anywhere and shown by the shell's host one after another: none covers another. */
export const usePopups = create<PopupQueue>(() => ({ waiting: [] }));

let lastId = 0;

/** Shows a message; resolves when the driver has closed it. */
export function notify(message?: string): Promise<boolean> {
  return new Promise((answer) => add({ kind: 'message', id: ++lastId, message, answer }));
}

/** A message that does not wait for those before it: it is about what happens right now. */
export function notifyFirst(message: string): Promise<boolean> {
  return new Promise((answer) => {
    const popup: Waiting = { kind: 'message', id: ++lastId, message, answer };
    usePopups.setState(({ waiting }) => ({ waiting: [popup, ...waiting] }));
  });
}

/** Asks; resolves to whether the driver said yes. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((answer) => add({ kind: 'question', id: ++lastId, question, answer }));
}

export function close(popup: Waiting, confirmed: boolean): void {
  usePopups.setState(({ waiting }) => ({ waiting: waiting.filter(({ id }) => id !== popup.id) }));
  popup.answer(confirmed);
}

function add(popup: Waiting): void {
  usePopups.setState(({ waiting }) => ({ waiting: [...waiting, popup] }));
}
