import { normaliseIdTag } from '@fpay/ocpp';
import { Authorize } from '@fpay/ocpp/v16/authorize';
import type { Connector } from './connector.ts';
import type { Device } from './device.ts';
import { begin, end } from './transactions.ts';

/** What the display shows after a card was tapped. */
export type TapOutcome = 'accepted' | 'refused' | 'stopped' | 'busy' | 'offline';

/**
 * A card at the reader. Without a connector it applies to the one where this card charges, or where a car is connected.
 */
export async function tap(chargePoint: Device, card: string, connectorId?: number): Promise<TapOutcome> {
  const asked = connectorId === undefined ? chargePoint.connectors : [chargePoint.connector(connectorId)];
  const charging = asked.find(({ transaction }) => transaction !== null && isSameCard(transaction.idTag, card));
  if (charging !== undefined) {
    end(chargePoint, charging, 'Local', card);
    return 'stopped';
  }
  const connector = connectorFor(asked);
  if (connector === undefined) return 'busy';
  // Without an answer of the central system no charge starts, because LocalAuthorizeOffline is off.
  if (!chargePoint.uplink.isOnline) return 'offline';
  try {
    const { idTagInfo } = await chargePoint.uplink.call(Authorize, { idTag: card });
    if (idTagInfo.status !== 'Accepted') return 'refused';
  } catch {
    return 'offline';
  }
  if (!connector.isUsable) return 'refused';
  authorise(chargePoint, connector, card);
  return 'accepted';
}

function connectorFor(connectors: readonly Connector[]): Connector | undefined {
  const idle = connectors.filter(({ transaction }) => transaction === null);
  return (
    idle.find(({ car, isUnplugPending, isUsable }) => isUsable && car !== null && !isUnplugPending) ??
    idle.find(({ isUsable }) => isUsable) ??
    idle[0]
  );
}

/**
 * Authorises a charge that starts if a car is connected before the timeout. `isInVain`: the charge will never be
 * started.
 */
export function authorise(chargePoint: Device, connector: Connector, idTag: string, { isInVain = false } = {}): void {
  connector.authorisation?.timer.cancel();
  const timer = chargePoint.after(chargePoint.configuration.ms('ConnectionTimeOut'), () => {
    // As in the standard, the connector returns to its previous state and only its status is sent.
    connector.authorisation = null;
    chargePoint.changed();
  });
  connector.authorisation = { idTag, timer };
  chargePoint.changed();
  if (!isInVain) startWhenReady(chargePoint, connector);
}

/**
 * Starts the transaction shortly after authorisation and cable are both present, in either order, if they still are.
 */
export function startWhenReady(chargePoint: Device, connector: Connector): void {
  const { authorisation } = connector;
  if (authorisation === null || connector.car === null || connector.transaction !== null) return;
  chargePoint.after(chargePoint.behaviour.startDelayMs, () => {
    const isStillOn = connector.authorisation === authorisation && connector.car !== null && connector.isUsable;
    if (!isStillOn || connector.transaction !== null) return;
    authorisation.timer.cancel();
    connector.authorisation = null;
    begin(chargePoint, connector, authorisation.idTag);
  });
}

function isSameCard(a: string, b: string): boolean {
  return normaliseIdTag(a) === normaliseIdTag(b);
}
