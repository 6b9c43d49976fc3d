import type { Step } from '../../platform/step.ts';
import { tariffsOf } from '../../stations/connectors.ts';
import { priceAt } from '../../stations/tariff.ts';

/** The current price of 1 kWh at the cheapest connector of a device, because Authorize does not name a connector. */
export async function cheapestKwh(step: Step, chargePoint: number, now: Date): Promise<number> {
  const prices = (await tariffsOf(step, { chargePoint })).map(({ tariff }) => priceAt(tariff, now).price);
  return prices.length === 0 ? 0 : Math.min(...prices);
}
