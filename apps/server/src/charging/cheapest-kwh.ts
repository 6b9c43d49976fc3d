import type { Step } from '../platform/step.ts';
import { priceAt, readTariff } from '../stations/tariff.ts';

/** What 1 kWh costs at a device now, at its cheapest connector: Authorize does not say which one is meant. */
export async function cheapestKwh(step: Step, chargePoint: number, now: Date): Promise<number> {
  const tariffs = await step.db
    .selectFrom('connectors')
    .innerJoin('tariffs', 'tariffs.id', 'connectors.tariff_id')
    .select(['tariffs.price', 'tariffs.hours', 'tariffs.discount'])
    .where('connectors.charge_point_id', '=', chargePoint)
    .execute();
  const prices = tariffs.map((tariff) => priceAt(readTariff(tariff), now).price);
  return prices.length === 0 ? 0 : Math.min(...prices);
}
