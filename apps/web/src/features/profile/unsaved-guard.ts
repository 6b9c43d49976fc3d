import type { User } from '@fpay/contract/account';
import { useCallback, useEffect, useRef } from 'react';
import { text } from '../../i18n/i18n.ts';
import { useBeforeUnload, useBlocker } from '../../router/index.ts';
import { confirm } from '../../ui/overlay/popups.ts';
import { discardDraft, hasUnsavedEdits } from './draft.ts';

/** The draft stays on these pages; leaving them would lose it. */
const editingPages = ['/edit', '/icons'];

/** Asks for confirmation before unsaved edits are lost, also when the tab is closed. */
export function useUnsavedGuard(user: User): void {
  const blocker = useBlocker(
    ({ nextLocation }) => !editingPages.includes(nextLocation.pathname) && hasUnsavedEdits(user),
  );
  const isAsking = useRef(false);

  useEffect(() => {
    if (blocker.state !== 'blocked' || isAsking.current) return;
    isAsking.current = true;
    void confirm({
      title: text('account:leaveTitle'),
      effect: text('account:leaveEffect'),
      confirmLabel: text('account:leaveYes'),
      cancelLabel: text('account:leaveNo'),
    }).then((isSure) => {
      isAsking.current = false;
      if (!isSure) return blocker.reset();
      discardDraft();
      blocker.proceed();
    });
  }, [blocker]);

  useBeforeUnload(
    useCallback(
      (event) => {
        if (hasUnsavedEdits(user)) event.preventDefault();
      },
      [user],
    ),
  );
}
