import type { Connector } from '@fpay/contract/stations';
import { useEffect, useState } from 'react';
import { useOnChange } from '../../ui/hooks/use-on-change.ts';
import { isAvailable } from './connector-state.ts';

/** A new plug is reported a moment later; until then the driver is not asked to plug in. */
const settleMs = 250;

/**
 * The connector that was just pressed. A ready one is passed on at once, a free one after a moment, in which a second press
 * takes the choice back.
 */
export function useSelection(connectors: readonly Connector[], onChosen: (connector: Connector) => void) {
  const [pressedId, setPressedId] = useState<number | null>(null);
  // A connector that was taken by another driver is no longer chosen.
  const connector = connectors.find((candidate) => candidate.id === pressedId && isAvailable(candidate)) ?? null;

  useEffect(() => {
    if (pressedId === null) return;
    const timer = setTimeout(() => setSettledId(pressedId), settleMs);
    return () => clearTimeout(timer);
  }, [pressedId]);
  const [settledId, setSettledId] = useState<number | null>(null);
  // Once, when the wait is over.
  useOnChange([settledId], () => {
    if (settledId === null) return;
    setPressedId(null);
    setSettledId(null);
    if (connector) onChosen(connector);
  });

  return {
    connector,
    toggle(pressed: Connector) {
      if (pressed.status === 'ready') onChosen(pressed);
      else setPressedId(pressed.id === pressedId ? null : pressed.id);
    },
  };
}
