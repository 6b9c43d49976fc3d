import { normaliseIdTag } from '@fpay/ocpp';
import { Authorize } from '@fpay/ocpp/v16/authorize';
import type { ChargePoint } from './charge-point.ts';
import type { Connector } from './connector.ts';
import { begin, end } from './transactions.ts';

/** What the display says after a card was shown. */
export type TapOutcome = 'accepted' | 'refused' | 'stopped' | 'busy' | 'offline';

/** A card at the reader. Without a connector it means the one where it charges, or where a car waits. */
export async function tap(chargePoint: ChargePoint, card: string, connectorId?: number): Promise<TapOutcome> {
  const asked = connectorId === undefined ? chargePoint.connectors : [chargePoint.connector(connectorId)];
  const charging = asked.find(({ transaction }) => transaction !== null && isSameCard(transaction.idTag, card));
  if (charging !== undefined) {
    end(chargePoint, charging, 'Local', card);
    return 'stopped';
  }
  const connector = connectorFor(asked);
  if (connector === undefined) return 'busy';
  // Without the central system's word nobody charges: LocalAuthorizeOffline is off.
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
    idle.find(({ car, isSpent, isUsable }) => isUsable && car !== null && !isSpent) ??
    idle.find(({ isUsable }) => isUsable) ??
    idle[0]
  );
}

/** Somebody may charge here, if a car comes before the patience ends. `isInVain`: it will not even be tried. */
export function authorise(
  chargePoint: ChargePoint,
  connector: Connector,
  idTag: string,
  { isInVain = false } = {},
): void {
  connector.authorisation?.timer.cancel();
  const timer = chargePoint.after(chargePoint.configuration.ms('ConnectionTimeOut'), () => {
    // As the standard has it: back to what was, with no message but the status.
    connector.authorisation = null;
    chargePoint.changed();
  });
  connector.authorisation = { idTag, timer };
  chargePoint.changed();
  if (!isInVain) startWhenReady(chargePoint, connector);
}

/** Authorised and plugged in, in either order: the transaction begins a moment later, if nothing came between. */
export function startWhenReady(chargePoint: ChargePoint, connector: Connector): void {
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
