import { auditList } from '@fpay/contract/admin/audit';
import { addSite, changeSite, siteList, siteView } from '@fpay/contract/admin/network/sites';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Stack, startStack } from '../testing/stack.ts';

// Each test waits for several commands of two devices.
vi.setConfig({ testTimeout: 60_000 });

let stack: Stack;
let boss: Awaited<ReturnType<Stack['signedIn']>>;
beforeAll(async () => {
  stack = await startStack();
  boss = await stack.signedIn('SuperAdmin');
});
afterAll(() => stack.close());

type Asked = Awaited<ReturnType<Stack['askedToStart']>>;

/** A driver at a device with charging profiles that was seen to obey them; the start command has arrived. */
async function smartStation(profiles = 'Core,SmartCharging'): Promise<Asked> {
  const asked = await stack.askedToStart('150');
  const values = { SupportedFeatureProfiles: profiles };
  await stack.db
    .updateTable('charge_points')
    .set({ configuration: JSON.stringify({ configuredFor: 'Test / Scripted / ', values }) })
    .where('identity', '=', asked.identity)
    .execute();
  const device = stack.db.selectFrom('charge_points').select('id').where('identity', '=', asked.identity);
  const seen = { obeys: true, since: new Date(), configured_for: 'Test / Scripted / ' };
  await stack.db
    .insertInto('site_devices')
    .values({ charge_point_id: device, ...seen })
    .execute();
  return asked;
}

const start = (asked: Asked) => asked.device.start(1, asked.idTag, 1_000);

/** The limit of the first period of the newest profile that the device got. */
function limitAt({ device }: Asked): number | null {
  const profiles = device.commands.filter(({ payload }) => /"TxProfile"/.test(JSON.stringify(payload)));
  const payload = profiles.at(-1)?.payload as
    | { csChargingProfiles: { chargingSchedule: { chargingSchedulePeriod: { limit: number }[] } } }
    | undefined;
  return payload?.csChargingProfiles.chargingSchedule.chargingSchedulePeriod[0]?.limit ?? null;
}

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 15_000, interval: 50 });
const view = async (id: number) => (await boss.client.call(siteView, { params: { id: String(id) } })).body;

test('two cars share the limit of their site in one profile with the limit of the deposit; the first gets its power back when the second leaves', async () => {
  const [first, second] = [await smartStation(), await smartStation()];
  const settings = { name: 'Мост-Сіті', limit: 61_000, reserve: 1_000, stations: [first.number, second.number] };
  const { body: site } = await boss.client.call(addSite, { body: settings });
  await start(first);
  // The second was asked to start, so its standing limit is kept free.
  await until(() => expect(limitAt(first)).toBe(30_000));
  const { transactionId } = await start(second);
  await until(() => expect([limitAt(first), limitAt(second)]).toEqual([30_000, 30_000]));
  await until(async () => {
    const { rows, charging } = await view(site.id);
    expect([charging, rows.map(({ allowed }) => allowed)]).toEqual([2, [30_000, 30_000]]);
  });
  // A reading renews the limit of the deposit; the share stays in the same profile.
  const profile = second.device.commands.findLast(({ payload }) =>
    /"TxProfile"/.test(JSON.stringify(payload)),
  )?.payload;
  expect(profile).toMatchObject({ csChargingProfiles: { chargingProfileId: transactionId, stackLevel: 0 } });
  await second.device.stop(transactionId, 2_000);
  await until(() => expect(limitAt(first)).toBe(60_000));
});

test('a device without profiles has its rated power subtracted from its paid start to its end', async () => {
  const first = await smartStation();
  const plain = await smartStation('Core');
  const body = { name: 'Без профілів', limit: 100_000, reserve: 0, stations: [first.number, plain.number] };
  const { body: site } = await boss.client.call(addSite, { body });
  await start(first);
  await until(() => expect(limitAt(first)).toBe(40_000));
  expect(await view(site.id)).toMatchObject({ subtracted: 60_000, connectors: 2, charging: 1 });
  const { transactionId } = await start(plain);
  await plain.device.stop(transactionId, 1_000);
  await until(() => expect(limitAt(first)).toBe(60_000));
  expect(await view(site.id)).toMatchObject({ subtracted: 0, connectors: 2, charging: 1 });
});

test('a lower limit reaches running charges at once, and the change is on record', async () => {
  const first = await smartStation();
  const body = { name: 'Зміна', limit: 60_000, reserve: 0, stations: [first.number] };
  const { body: site } = await boss.client.call(addSite, { body });
  await start(first);
  await until(() => expect(limitAt(first)).toBe(60_000));
  await boss.client.call(changeSite, { params: { id: String(site.id) }, body: { ...body, limit: 20_000 } });
  await until(() => expect(limitAt(first)).toBe(20_000));
  const { body: records } = await boss.client.call(auditList, { query: { action: 'site.change' } });
  expect(records[0]).toMatchObject({
    subject_kind: 'site',
    subject_id: String(site.id),
    before: { limit: 60_000 },
    after: { limit: 20_000 },
  });
  const { body: list } = await boss.client.call(siteList);
  expect(list.find(({ id }) => id === site.id)).toMatchObject({ limit: 20_000, stations: [first.number] });
});

test('bad settings are refused and change nothing', async () => {
  const body = { name: 'Помилка', limit: 50_000, reserve: 50_000, stations: [] };
  expect((await boss.client.call(addSite, { body })).status).toBe(422);
  const unknown = await boss.client.call(addSite, { body: { ...body, reserve: 0, stations: ['F9999'] } });
  expect(unknown.status).toBe(404);
  const { body: list } = await boss.client.call(siteList);
  expect(list.some(({ name }) => name === 'Помилка')).toBe(false);
});

interface StandingProfile {
  connectorId: number;
  csChargingProfiles: {
    chargingProfileId: number;
    chargingSchedule: { chargingSchedulePeriod: { limit: number }[] };
  };
}

/** The standing profiles that the device got, as connector and limit. */
const standing = ({ device }: Asked) =>
  device.commands
    .filter(({ payload }) => /"TxDefaultProfile"/.test(JSON.stringify(payload)))
    .map(({ payload }) => {
      const { connectorId, csChargingProfiles } = payload as unknown as StandingProfile;
      return [connectorId, csChargingProfiles.chargingSchedule.chargingSchedulePeriod[0]?.limit];
    });

test('a charger of a site keeps a limit of its own for the time without the server, until it leaves the site', async () => {
  const [first, second] = [await smartStation(), await smartStation()];
  const body = { name: 'Без сервера', limit: 50_000, reserve: 0, stations: [first.number, second.number] };
  const { body: site } = await boss.client.call(addSite, { body });
  const params = { id: String(site.id) };
  await until(() => expect([standing(first), standing(second)]).toEqual([[[1, 25_000]], [[1, 25_000]]]));
  await until(async () => expect((await view(site.id)).rows.map(({ fallback }) => fallback)).toEqual([25_000, 25_000]));

  // The lowest limit of the day counts, and an accepted limit is not sent again.
  const hours = { from: '08:00', to: '20:00', limit: 30_000 };
  await boss.client.call(changeSite, { params, body: { ...body, hours } });
  await until(() =>
    expect(standing(first)).toEqual([
      [1, 25_000],
      [1, 15_000],
    ]),
  );

  // After a boot a device may have lost it.
  await stack.db
    .updateTable('charge_points')
    .set({ booted_at: new Date(Date.now() + 1_000) })
    .where('identity', '=', first.identity)
    .execute();
  await until(() => expect(standing(first).length).toBeGreaterThan(2));

  await boss.client.call(changeSite, { params, body: { ...body, stations: [second.number] } });
  await until(() => {
    const cleared = first.device.commands.filter(({ action }) => action === 'ClearChargingProfile');
    expect(cleared.map(({ payload }) => payload)).toEqual([{ id: 2_000_000_001 }]);
  });
  await until(() => expect(standing(second).at(-1)).toEqual([1, 50_000]));
});

test('a site has another limit at some hours', async () => {
  const first = await smartStation();
  const hour = (ahead: number) => `${String((new Date().getUTCHours() + 24 + ahead) % 24).padStart(2, '0')}:00`;
  // Kyiv is two or three hours ahead of UTC, so these hours contain the present one and leave out others.
  const hours = { from: hour(1), to: hour(5), limit: 20_000 };
  const body = { name: 'За годинами', limit: 60_000, reserve: 0, stations: [first.number], hours };
  const { body: site } = await boss.client.call(addSite, { body });
  await start(first);
  await until(() => expect(limitAt(first)).toBe(20_000));
  expect(await view(site.id)).toMatchObject({ limit: 60_000, limit_now: 20_000, hours });
  const later = { ...body, hours: { ...hours, from: hour(6), to: hour(8) } };
  await boss.client.call(changeSite, { params: { id: String(site.id) }, body: later });
  await until(() => expect(limitAt(first)).toBe(60_000));

  const wrong = [
    { ...hours, to: hours.from },
    { ...hours, from: '8:00' },
    { ...hours, limit: 500 },
  ];
  for (const one of wrong)
    expect((await boss.client.call(addSite, { body: { ...body, hours: one } })).status).toBe(422);
  const reserved = { ...body, reserve: 30_000 };
  expect((await boss.client.call(addSite, { body: reserved })).status).toBe(422);
});
