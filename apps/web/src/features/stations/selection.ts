import { connectorTypes } from '@fpay/contract/connectors';
import type { Connector } from '@fpay/contract/stations';
import { useEffect, useState } from 'react';
import { isAvailable } from './connector-state.ts';

/** A new plug is reported a moment later; until then the driver is not asked to plug in. */
const settleMs = 250;
/** An adapter hides the car from the charger. A driver without one needs this long to plug in. */
const adapterDelayMs = 5000;

/** The chosen connector, and whether the driver can continue with it. */
export function useSelection(connectors: readonly Connector[]) {
  const [chosen, setChosen] = useState<{ id: number; isSettled: boolean } | null>(null);
  const [offersAdapter, setOffersAdapter] = useState(false);
  const id = chosen?.id ?? null;

  useEffect(() => {
    if (id === null) return;
    const settled = setTimeout(() => setChosen({ id, isSettled: true }), settleMs);
    const adapter = setTimeout(() => setOffersAdapter(true), adapterDelayMs);
    return () => {
      clearTimeout(settled);
      clearTimeout(adapter);
      setOffersAdapter(false);
    };
  }, [id]);

  // A connector that was taken by another driver is no longer chosen.
  const connector = connectors.find((candidate) => candidate.id === id && isAvailable(candidate)) ?? null;
  const isSettled = connector !== null && chosen?.isSettled === true;
  return {
    connector,
    isReady: isSettled && connector.status === 'ready',
    waitsForCable: isSettled && connector.status === 'free',
    offersAdapter: offersAdapter && connector?.status === 'free' && connectorTypes[connector.type].adapter,
    toggle(pressed: Connector) {
      setChosen(pressed.id === id ? null : { id: pressed.id, isSettled: pressed.status === 'ready' });
    },
    clear: () => setChosen(null),
  };
}
