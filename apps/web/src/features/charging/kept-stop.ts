import { type Operation, stopOperation } from '@fpay/contract/charging';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../api/call.ts';
import { NetworkError } from '../../api/errors.ts';
import { showError } from '../../data/action.ts';
import { useOnChange } from '../../ui/hooks/use-on-change.ts';
import { useOnline } from '../../ui/hooks/use-online.ts';
import { chargingQueries } from './queries.ts';
import { isOperationOver } from './status-view.ts';

/** A failed attempt is repeated after this time while the device reports a network. */
const retryMs = 3000;

const keyOf = (id: number) => `fpay.stop.${id}`;

/**
 * Requests the end of an operation. Without an answer the request is stored on the device, so that it survives a reload, and
 * is sent when the network is back. The driver can withdraw it until then.
 */
export function useStop(operation: Operation) {
  const { id, status } = operation;
  const queryClient = useQueryClient();
  const isOnline = useOnline();
  const [keptSince, setKeptSince] = useState(() => storedSince(id));
  const [isSending, setSending] = useState(false);
  const isBusy = useRef(false);
  const isOver = isOperationOver(status) || operation.stop_requested;

  function keep(since: number | null): void {
    if (since === null) localStorage.removeItem(keyOf(id));
    else localStorage.setItem(keyOf(id), String(since));
    setKeptSince(since);
  }

  async function send(since: number): Promise<void> {
    // A double tap, or a retry while an attempt is under way.
    if (isBusy.current) return;
    isBusy.current = true;
    setSending(true);
    const { queryKey } = chargingQueries.operation(id);
    try {
      const { status } = await call(stopOperation, { params: { id: String(id) } });
      keep(null);
      queryClient.setQueryData<Operation>(queryKey, (known) => known && { ...known, status, stop_requested: true });
      void queryClient.invalidateQueries({ queryKey });
    } catch (error) {
      if (error instanceof NetworkError) keep(since);
      else {
        keep(null);
        showError(error);
      }
    } finally {
      isBusy.current = false;
      setSending(false);
    }
  }

  // Starts over when the network or the stored request changes.
  useOnChange([keptSince, isOnline, isOver], () => {
    if (keptSince === null) return;
    if (isOver) return keep(null);
    if (!isOnline) return;
    void send(keptSince);
    const timer = setInterval(() => void send(keptSince), retryMs);
    return () => clearInterval(timer);
  });

  return {
    /** Unix ms of a request that waits for the network; null for none. */
    keptSince: isOver ? null : keptSince,
    isSending,
    stop: () => (navigator.onLine ? void send(Date.now()) : keep(Date.now())),
    withdraw: () => keep(null),
  };
}

export type StopRequest = ReturnType<typeof useStop>;

function storedSince(id: number): number | null {
  const stored = Number(localStorage.getItem(keyOf(id)));
  return stored > 0 ? stored : null;
}
