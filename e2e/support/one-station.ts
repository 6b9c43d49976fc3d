import { expect } from '@playwright/test';
import { type ChargePoint, createSimulatedChargePoint } from '../../apps/simulator/src/charge-point.ts';
import { createClock } from '../../apps/simulator/src/clock.ts';
import { clientOf, giveMoney } from './client.ts';
import { people } from './test.ts';

interface OneStation {
  site: string;
  station: string;
  /** This driver gets a balance of 500 ₴. */
  driver: string;
}

/**
 * Adds a station with one 22 kW Type 2 connector to a product without a network, and connects its charge point. A
 * product with the demo's network needs more than twice the CPU time. The caller stops the charge point.
 */
export async function addOneStation({ site, station, driver }: OneStation): Promise<ChargePoint> {
  const staff = await clientOf(site, people.superAdmin);
  await giveMoney(site, driver, 500_00);
  const identity = `CP-${station}`;
  const { password } = (await staff.mutate('POST', '/api/admin/network/charge-points', { identity })).body;
  const added = await staff.mutate('POST', '/api/admin/network/stations', {
    number: station,
    is_virtual: false,
    address: 'Troitska St, 1, Dnipro',
    address_uk: 'вул. Троїцька, 1, Дніпро',
    lat: 48.462,
    lon: 35.036,
    party_id: null,
    note: null,
    opening_hours: null,
    connectors: [
      {
        charge_point: identity,
        connector: 1,
        type: 'type2',
        power: 22_000,
        has_cable: false,
        price: 10_00,
        tariff: null,
      },
    ],
    listed: [],
  });
  expect(added.status).toBeLessThan(300);
  const device = createSimulatedChargePoint({
    url: `${site.replace('http', 'ws')}/ocpp`,
    identity,
    password,
    connectors: [{ id: 1, type: 'type2', powerW: 22_000 }],
    clock: createClock({ speed: 20 }),
  });
  device.start();
  await device.until(({ isConnected, isBooted }) => isConnected && isBooted, 60_000);
  return device;
}
